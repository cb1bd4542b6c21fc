import Wire

/// Names of timers, the one that is due first on top: a heap whose every element is found by its
/// name, so that a timer that is cancelled or set anew leaves nothing behind.
///
/// Each node of the heap has four children, which lie side by side in memory. The names are in
/// slots that do not move; a hash table, chained through the slots, finds them. A timer takes 68
/// bytes, and up to twice as much while the arrays have grown ahead of their use.
package struct TimerHeap {
  private struct Slot {
    var key: TimerKey
    /// Its place in the heap.
    var place: UInt32
    /// The next slot of the same bucket, or the next free one.
    var next: UInt32
  }

  private struct Node {
    var due: Int64
    var slot: UInt32
  }

  private static var none: UInt32 { .max }

  private var nodes: [Node] = []
  private var slots: [Slot] = []
  private var buckets: [UInt32] = [TimerHeap.none]
  private var firstFree = TimerHeap.none
  package private(set) var count = 0

  package init() {}

  /// As many timers as there were at once.
  var slotCount: Int { slots.count }

  var nextDue: Int64? { nodes.first?.due }

  /// When the timer is due; nil where there is none.
  func due(of key: TimerKey) -> Int64? {
    find(key).map { nodes[Int(slots[$0].place)].due }
  }

  package mutating func set(_ key: TimerKey, due: Int64) {
    if let slot = find(key) {
      let place = Int(slots[slot].place)
      nodes[place].due = due
      moveUp(place)
      moveDown(Int(slots[slot].place))
    } else {
      nodes.append(Node(due: due, slot: UInt32(insert(key))))
      moveUp(nodes.count - 1)
    }
  }

  /// Returns false when there is no such timer.
  @discardableResult
  package mutating func remove(_ key: TimerKey) -> Bool {
    guard let slot = find(key) else { return false }
    removeNode(Int(slots[slot].place))
    unlink(slot)
    return true
  }

  /// Removes the first timer if its time has come.
  package mutating func take(now: Int64) -> TimerKey? {
    guard let first = nodes.first, first.due <= now else { return nil }
    removeNode(0)
    unlink(Int(first.slot))
    return slots[Int(first.slot)].key
  }

  // MARK: The start

  /// Takes one of many timers, each with a name of its own; `loaded` comes after the last one.
  mutating func load(_ key: TimerKey, due: Int64) {
    nodes.append(Node(due: due, slot: UInt32(slots.count)))
    slots.append(Slot(key: key, place: UInt32(slots.count), next: Self.none))
  }

  /// Orders the heap and the hash table once, in place of a step for each timer.
  mutating func loaded() {
    precondition(count == 0, "timers were set before all stored ones were there")
    count = slots.count
    var bucketCount = 1
    while bucketCount < count { bucketCount *= 2 }
    buckets = [UInt32](repeating: Self.none, count: bucketCount)
    for slot in slots.indices { link(slot) }
    for place in stride(from: (count - 2) / 4, through: 0, by: -1) where place < count {
      moveDown(place)
    }
  }

  // MARK: The heap

  /// By time, then by name: equal times come in one order whatever was before.
  private func isBefore(_ left: Node, _ right: Node) -> Bool {
    if left.due != right.due { return left.due < right.due }
    let (left, right) = (slots[Int(left.slot)].key, slots[Int(right.slot)].key)
    if left.key != right.key { return left.key < right.key }
    return (left.opcode, left.item) < (right.opcode, right.item)
  }

  private mutating func put(_ node: Node, at place: Int) {
    nodes[place] = node
    slots[Int(node.slot)].place = UInt32(place)
  }

  private mutating func moveUp(_ start: Int) {
    var place = start
    let node = nodes[place]
    while place > 0, isBefore(node, nodes[(place - 1) / 4]) {
      put(nodes[(place - 1) / 4], at: place)
      place = (place - 1) / 4
    }
    put(node, at: place)
  }

  private mutating func moveDown(_ start: Int) {
    var place = start
    let node = nodes[place]
    while 4 * place + 1 < nodes.count {
      var least = 4 * place + 1
      for child in least + 1..<max(least + 1, min(least + 4, nodes.count))
      where isBefore(nodes[child], nodes[least]) {
        least = child
      }
      guard isBefore(nodes[least], node) else { break }
      put(nodes[least], at: place)
      place = least
    }
    put(node, at: place)
  }

  private mutating func removeNode(_ place: Int) {
    let last = nodes.removeLast()
    guard place < nodes.count else { return }
    put(last, at: place)
    moveUp(place)
    moveDown(Int(slots[Int(last.slot)].place))
  }

  // MARK: The names

  private func bucket(_ key: TimerKey) -> Int {
    // Whoever chooses a key must not choose the bucket: Swift's hashes have a seed.
    var hasher = Hasher()
    hasher.combine(key)
    return hasher.finalize() & (buckets.count - 1)
  }

  private func find(_ key: TimerKey) -> Int? {
    var slot = buckets[bucket(key)]
    while slot != Self.none, slots[Int(slot)].key != key { slot = slots[Int(slot)].next }
    return slot == Self.none ? nil : Int(slot)
  }

  private mutating func insert(_ key: TimerKey) -> Int {
    if count == buckets.count { growBuckets() }
    count += 1
    let slot: Int
    if firstFree == Self.none {
      slot = slots.count
      slots.append(Slot(key: key, place: Self.none, next: Self.none))
    } else {
      slot = Int(firstFree)
      firstFree = slots[slot].next
      slots[slot] = Slot(key: key, place: Self.none, next: Self.none)
    }
    link(slot)
    return slot
  }

  private mutating func link(_ slot: Int) {
    let bucket = bucket(slots[slot].key)
    slots[slot].next = buckets[bucket]
    buckets[bucket] = UInt32(slot)
  }

  private mutating func growBuckets() {
    let used = buckets.flatMap { chain(from: $0) }
    buckets = [UInt32](repeating: Self.none, count: 2 * buckets.count)
    for slot in used { link(slot) }
  }

  private func chain(from first: UInt32) -> [Int] {
    var chain: [Int] = []
    var slot = first
    while slot != Self.none {
      chain.append(Int(slot))
      slot = slots[Int(slot)].next
    }
    return chain
  }

  private mutating func unlink(_ slot: Int) {
    count -= 1
    let bucket = bucket(slots[slot].key)
    if buckets[bucket] == UInt32(slot) {
      buckets[bucket] = slots[slot].next
    } else {
      var before = Int(buckets[bucket])
      while slots[before].next != UInt32(slot) { before = Int(slots[before].next) }
      slots[before].next = slots[slot].next
    }
    slots[slot].next = firstFree
    firstFree = UInt32(slot)
  }
}
