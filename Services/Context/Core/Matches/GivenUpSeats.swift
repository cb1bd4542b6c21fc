import Domain
import Operations
import Wire

/// Seats that clients have left before they had them.
///
/// A join that asks for facts about the others goes back to the gateway, and is passed by what was
/// under way then, also by the leave of a client that has given it up. Made again, it would seat a
/// client that does not know of it: the others would wait for nobody. In memory, like connections.
struct GivenUpSeats {
  private struct Key: Hashable {
    var context: ContextID
    var player: PlayerID
    var seat: UInt64
  }

  private static let countMax = 4096
  /// Longer than a gateway takes to make a call again.
  private static let milliseconds: Int64 = 60_000

  private var times: [Key: Int64] = [:]
  private var order = Queue<Key>()

  mutating func add(_ context: ContextID, _ player: PlayerID, _ seat: UInt64, now: Int64) {
    let key = Key(context: context, player: player, seat: seat)
    guard times.updateValue(now, forKey: key) == nil else { return }
    order.append(key)
    if order.count > Self.countMax { times[order.removeFirst()] = nil }
  }

  func contains(
    _ context: ContextID, _ player: PlayerID, _ seat: UInt64, now: Int64
  ) -> Bool {
    times[Key(context: context, player: player, seat: seat)].map {
      now < $0 + Self.milliseconds
    } ?? false
  }
}
