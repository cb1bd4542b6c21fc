import Domain

/// Keys in the order in which something is due, for deadlines that are all equally long: adding and
/// taking cost constant time. A key whose row is gone or lives on is simply passed over by its
/// taker.
struct Deadlines<Key: Comparable> {
  private var queue = Queue<(key: Key, due: Int64)>()

  mutating func add(_ key: Key, due: Int64) { queue.append((key, due)) }

  /// The deadlines that rows had at the start.
  mutating func fill(_ deadlines: [(Key, Int64)]) {
    for (key, due) in deadlines.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) { add(key, due: due) }
  }

  mutating func popDue(now: Int64) -> Key? {
    guard let first = queue.first, first.due <= now else { return nil }
    return queue.removeFirst().key
  }
}
