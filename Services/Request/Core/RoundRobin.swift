import Domain

/// Keys that time may do something to, each once, looked at in turn: a tick takes some from the
/// front and puts back those that it must look at again. Unlike a queue of deadlines it holds
/// nothing of what is already gone, at the price of a look at what is not yet due.
struct RoundRobin<Key: Hashable & Comparable> {
  private var queue = Queue<Key>()
  private var members: Set<Key> = []

  var count: Int { queue.count }

  /// Nothing happens when the key is there already.
  mutating func add(_ key: Key) {
    if members.insert(key).inserted { queue.append(key) }
  }

  mutating func fill(_ keys: some Sequence<Key>) {
    for key in keys.sorted() { add(key) }
  }

  mutating func next() -> Key? {
    if queue.isEmpty { return nil }
    let key = queue.removeFirst()
    members.remove(key)
    return key
  }
}
