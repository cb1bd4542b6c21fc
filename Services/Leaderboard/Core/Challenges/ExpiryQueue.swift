import Domain
import Operations
import Wire

/// Challenges that expire, the next one first: a binary heap. Those that end before are left in it,
/// and found ended when their time comes; so ending one costs nothing here.
final class ExpiryQueue {
  struct Entry {
    var date: Int64
    var game: String
    var operation: ExpireChallenge

    /// By date, then by challenge: after a restart they come in any order, and leave in the same one.
    static func < (left: Self, right: Self) -> Bool {
      (left.date, left.operation.challenge) < (right.date, right.operation.challenge)
    }
  }

  private var heap: [Entry] = []
  /// Effects of one step of time.
  private static var expiriesPerTick: Int { 64 }

  /// Sends an effect to the owner of each challenge whose date has come. The owner ends it: what it
  /// tells then leaves from its own slot, in order with all else about that challenge.
  func send(_ transaction: inout Transaction) {
    for _ in 0..<Self.expiriesPerTick {
      guard let entry = pop(now: transaction.now) else { return }
      transaction.effect(entry.operation, on: entry.operation.key, game: entry.game)
    }
  }

  /// - Parameter key: what owns the challenge.
  func push(_ challenge: Challenge, at key: RoutingKey, game: String) {
    guard let date = challenge.expiryDate else { return }
    var operation = ExpireChallenge()
    operation.key = key
    operation.receiver = challenge.receiver
    operation.challenge = challenge.id
    heap.append(Entry(date: date, game: game, operation: operation))
    var place = heap.count - 1
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// The first one if its date has come.
  private func pop(now: Int64) -> Entry? {
    guard let first = heap.first, first.date <= now else { return nil }
    let last = heap.removeLast()
    if heap.isEmpty { return first }
    heap[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least == place { return first }
      heap.swapAt(place, least)
      place = least
    }
  }
}
