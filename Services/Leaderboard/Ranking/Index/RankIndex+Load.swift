extension RankIndex {
  /// Entries of a leaf after loading in bulk: it leaves room, so that the first insertions do not
  /// split every leaf.
  static var leafFillLoaded: Int { Leaf.capacity * 7 / 8 }
  static var innerFillLoaded: Int { Inner.capacity * 7 / 8 }

  private typealias Cell = (bound: RankKey, child: Node, weight: Int)

  /// Builds the tree of an index that has none, from all keys that were set. It takes a sort by
  /// digits and one pass, both in linear time.
  package mutating func build() {
    precondition(count == 0, "the index is empty")
    guard keys.count > 0 else { return }
    let sorted = KeySort.numbers(of: keys)
    leaves.release(root)
    count = sorted.count
    var level = packLeaves(sorted)
    while level.count > 1 {
      level = packInners(level)
      height += 1
    }
    root = level[0].child
  }

  /// Spreads entries evenly over as few leaves as hold them well.
  private mutating func packLeaves(_ sorted: borrowing Column<UInt32>) -> [Cell] {
    let nodeCount = (sorted.count + Self.leafFillLoaded - 1) / Self.leafFillLoaded
    var cells: [Cell] = []
    cells.reserveCapacity(nodeCount)
    for number in 0..<nodeCount {
      let range = sorted.count * number / nodeCount..<sorted.count * (number + 1) / nodeCount
      let leaf = Leaf(leaves.allocate())
      leaf.initialize()
      for place in range { leaf.append(sorted[place]) }
      fit(leaf)
      cells.append((keyAt(0, of: leaf), leaf.node, range.count))
    }
    return cells
  }

  private mutating func packInners(_ cells: [Cell]) -> [Cell] {
    let nodeCount = (cells.count + Self.innerFillLoaded - 1) / Self.innerFillLoaded
    var parents: [Cell] = []
    parents.reserveCapacity(nodeCount)
    for number in 0..<nodeCount {
      let range = cells.count * number / nodeCount..<cells.count * (number + 1) / nodeCount
      let inner = Inner(inners.allocate())
      inner.initialize()
      for cell in cells[range] { inner.append(cell.bound, cell.child, weight: cell.weight) }
      inner.fit()
      parents.append((cells[range.lowerBound].bound, inner.node, inner.weight))
    }
    return parents
  }
}
