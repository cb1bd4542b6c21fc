import Operations
import Wire

/// Challenges that expire, the next one first: a binary heap. Those that end before are left in it,
/// and found ended when their time comes; so ending one costs nothing here.
struct ExpiryQueue {
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

  /// - Parameter key: what owns the challenge.
  mutating func push(_ challenge: Challenge, at key: RoutingKey, game: String) {
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
  mutating func pop(now: Int64) -> Entry? {
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
