import Domain
import Operations
import Wire

struct GivenUpSeatKey: RowKey {
  var context = ContextID()
  var player = PlayerID()
  /// The client's value.
  var seat: UInt64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("player", &player)
    visit.field("seat", &seat)
  }
}

/// A seat that its client has left before it had it.
struct GivenUpSeatRow: Row {
  static let tableID: UInt16 = 31
  static let tableName = "given_up_seat"
  var key = GivenUpSeatKey()
  /// Milliseconds since 1970.
  var time: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("time", &time)
  }
}

/// Seats that clients have left before they had them.
///
/// A join that asks for facts about the others goes back to the gateway, and is passed by what was
/// under way then, also by the leave of a client that has given it up. Made again, it would seat a
/// client that does not know of it: the others would wait for nobody.
struct GivenUpSeats {
  /// Longer than a gateway takes to make a call again.
  private static let milliseconds: Int64 = 60_000

  private var table = ResidentTable<GivenUpSeatRow>()
  private var keys = AgedKeys<GivenUpSeatKey>(
    countMax: 4096, keptMillisecondsMax: Self.milliseconds)

  mutating func load(_ row: GivenUpSeatRow) {
    table.load(row)
    keys.add(row.key, time: row.time)
  }

  /// Ends the loading, which is in no particular order.
  mutating func sort() { keys.sort() }

  mutating func add(_ key: GivenUpSeatKey, _ transaction: inout Transaction) {
    keys.add(key, time: transaction.now)
    table.put(GivenUpSeatRow(key: key, time: transaction.now), &transaction)
    // Two for each that is added, so that those of the past go. They mean nothing to their own
    // contexts any more, so another one may remove them.
    for (old, time) in keys.takeOld(now: transaction.now, atMost: 2)
    where table[old]?.time == time {
      table.remove(old, &transaction)
    }
  }

  mutating func erase(_ key: GivenUpSeatKey, _ transaction: inout Transaction) {
    table.remove(key, &transaction)
  }

  func contains(_ key: GivenUpSeatKey, now: Int64) -> Bool {
    table[key].map { now <= $0.time + Self.milliseconds } ?? false
  }
}
