/// The nodes of one kind of a `RankIndex`, in flat arrays: node `n` has the cells `n * capacity` and
/// up. No object per node, so neither reference counts nor pointers per entry.
///
/// A cell is a key and a link. In a leaf the link is the entry's number; in an inner node it is a
/// child, the key is a lower bound of that child's keys (ignored in the first cell), and the weight
/// is the number of entries under it.
struct RankNodes {
  /// 64 cells: a search looks at few cache lines, and moving half of a node stays cheap.
  static let capacity = 64
  /// A node with fewer cells takes some from its neighbour or is merged with it.
  static let fillMin = capacity / 4
  /// Two neighbours are merged when both fit into so many cells; below `capacity`, so that the next
  /// insertion does not split them again.
  static let fillMerged = capacity * 3 / 4
  /// Bulk loading leaves room, so that the first insertions do not split every node.
  static let fillLoaded = capacity * 7 / 8

  let isWeighted: Bool
  private(set) var orders: [Int64] = []
  private(set) var ties: [UInt64] = []
  private(set) var links: [UInt32] = []
  private var weights: [UInt32] = []
  private var counts: [UInt8] = []
  private var free: [UInt32] = []

  init(isWeighted: Bool) { self.isWeighted = isWeighted }

  mutating func allocate() -> UInt32 {
    if let node = free.popLast() { return node }
    let node = UInt32(counts.count)
    counts.append(0)
    orders.append(contentsOf: repeatElement(0, count: Self.capacity))
    ties.append(contentsOf: repeatElement(0, count: Self.capacity))
    links.append(contentsOf: repeatElement(0, count: Self.capacity))
    if isWeighted { weights.append(contentsOf: repeatElement(0, count: Self.capacity)) }
    return node
  }

  mutating func reserve(nodes: Int) {
    orders.reserveCapacity(nodes * Self.capacity)
    ties.reserveCapacity(nodes * Self.capacity)
    links.reserveCapacity(nodes * Self.capacity)
    if isWeighted { weights.reserveCapacity(nodes * Self.capacity) }
    counts.reserveCapacity(nodes)
  }

  mutating func release(_ node: UInt32) {
    counts[Int(node)] = 0
    free.append(node)
  }

  func count(_ node: UInt32) -> Int { Int(counts[Int(node)]) }
  func isFull(_ node: UInt32) -> Bool { count(node) == Self.capacity }

  private func cell(_ node: UInt32, _ slot: Int) -> Int { Int(node) * Self.capacity + slot }

  func key(_ node: UInt32, _ slot: Int) -> RankKey {
    let cell = cell(node, slot)
    return RankKey(order: orders[cell], tie: ties[cell])
  }

  func link(_ node: UInt32, _ slot: Int) -> UInt32 { links[cell(node, slot)] }

  func weight(_ node: UInt32, _ slot: Int) -> Int {
    isWeighted ? Int(weights[cell(node, slot)]) : 1
  }

  func weight(of node: UInt32) -> Int {
    isWeighted ? weight(of: node, before: count(node)) : count(node)
  }

  func weight(of node: UInt32, before slot: Int) -> Int {
    let start = cell(node, 0)
    var sum = 0
    for cell in start..<start + slot { sum += Int(weights[cell]) }
    return sum
  }

  /// The first slot from `start` on whose key is not below `key`.
  func lowerBound(_ node: UInt32, _ key: RankKey, from start: Int = 0) -> Int {
    let base = cell(node, 0)
    var low = start
    var high = count(node)
    while low < high {
      let middle = (low + high) >> 1
      let cell = base + middle
      let order = orders[cell]
      if order < key.order || (order == key.order && ties[cell] < key.tie) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// The slot of the child that holds `key`, or would.
  func childSlot(_ node: UInt32, _ key: RankKey) -> Int {
    let slot = lowerBound(node, key, from: 1)
    return slot < count(node) && self.key(node, slot) == key ? slot : slot - 1
  }
}

// MARK: Changes

extension RankNodes {
  mutating func setKey(_ node: UInt32, _ slot: Int, _ key: RankKey) {
    let cell = cell(node, slot)
    orders[cell] = key.order
    ties[cell] = key.tie
  }

  mutating func setLink(_ node: UInt32, _ slot: Int, _ link: UInt32) {
    links[cell(node, slot)] = link
  }

  mutating func setWeight(_ node: UInt32, _ slot: Int, _ weight: Int) {
    weights[cell(node, slot)] = UInt32(weight)
  }

  mutating func addWeight(_ node: UInt32, _ slot: Int, _ difference: Int32) {
    let cell = cell(node, slot)
    weights[cell] = UInt32(truncatingIfNeeded: Int(weights[cell]) + Int(difference))
  }

  mutating func insert(_ node: UInt32, at slot: Int, _ key: RankKey, _ link: UInt32, weight: Int) {
    let count = count(node)
    shift(from: cell(node, slot), to: cell(node, slot + 1), count: count - slot)
    counts[Int(node)] = UInt8(count + 1)
    setKey(node, slot, key)
    setLink(node, slot, link)
    if isWeighted { setWeight(node, slot, weight) }
  }

  mutating func append(_ node: UInt32, _ key: RankKey, _ link: UInt32, weight: Int) {
    insert(node, at: count(node), key, link, weight: weight)
  }

  mutating func remove(_ node: UInt32, at slot: Int) {
    let count = count(node)
    shift(from: cell(node, slot + 1), to: cell(node, slot), count: count - slot - 1)
    counts[Int(node)] = UInt8(count - 1)
  }

  /// Moves cells between two neighbours until the left one has `leftCount`.
  mutating func rebalance(_ left: UInt32, _ right: UInt32, leftCount: Int) {
    let (before, other) = (count(left), count(right))
    let moved = leftCount - before
    if moved > 0 {
      shift(from: cell(right, 0), to: cell(left, before), count: moved)
      shift(from: cell(right, moved), to: cell(right, 0), count: other - moved)
    } else if moved < 0 {
      shift(from: cell(right, 0), to: cell(right, -moved), count: other)
      shift(from: cell(left, leftCount), to: cell(right, 0), count: -moved)
    }
    counts[Int(left)] = UInt8(leftCount)
    counts[Int(right)] = UInt8(other - moved)
  }

  private mutating func shift(from source: Int, to target: Int, count: Int) {
    Self.shift(&orders, source, target, count)
    Self.shift(&ties, source, target, count)
    Self.shift(&links, source, target, count)
    if isWeighted { Self.shift(&weights, source, target, count) }
  }

  /// Copies cells within an array; the ranges may overlap.
  private static func shift<Value>(
    _ array: inout [Value], _ source: Int, _ target: Int, _ count: Int
  ) {
    guard count > 0 else { return }
    var span = array.mutableSpan
    if source > target {
      for offset in 0..<count { span[target + offset] = span[source + offset] }
    } else {
      for offset in stride(from: count - 1, through: 0, by: -1) {
        span[target + offset] = span[source + offset]
      }
    }
  }
}
