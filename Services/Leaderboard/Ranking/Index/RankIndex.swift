/// Ranks any number of entries, exactly and in logarithmic time. It tells how many entries stand
/// before a key and which entry stands at a position, and keeps up with keys that are added,
/// changed and removed.
///
/// It is a counted B+ tree over a column of keys. The column has the key of each entry number.
/// Leaves hold entry numbers in the order of their keys. Inner nodes hold, for each child, a lower
/// bound of its keys and its weight: how many entries are under it. So the position of a key is the
/// sum of the weights that are passed on the way down. In every node a code of two bytes stands for
/// a key, so that a search looks at two or three cache lines. Ten million entries make a level of
/// leaves and three levels above it. An entry takes 16 bytes in the column and about 8 in the tree.
///
/// Invariants (`fault()` looks for a breach): all leaves are at one depth; every node but the root
/// has at least `fillMin` cells, an inner root at least two; a child's keys are not below its own
/// bound and are below the next one's; weights are counts; keys are all different.
package struct RankIndex: ~Copyable {
  package internal(set) var count = 0
  var keys = Column<RankKey>()
  var leaves = NodePool(nodeBytes: Leaf.bytes)
  var inners = NodePool(nodeBytes: Inner.bytes)
  var root: Node
  /// How many inner nodes are above a leaf.
  var height = 0
  /// The inner nodes of the last descent, with the slots taken. It is a property so that its memory
  /// is used again. The second one is for an update, which goes down two ways at once.
  var path = Path()
  var oldPath = Path()

  package init() {
    root = leaves.allocate()
    Leaf(root).initialize()
  }

  /// The bytes of memory that the column and the tree have taken from the system.
  package var bytes: Int { keys.bytes + leaves.bytes + inners.bytes }

  /// Every number with a key, now or before, is below this.
  package var numbersEnd: Int { keys.count }

  /// Gives back the memory of an index that is not read again, at most `pieces` large pages, so
  /// that an index of any size can be released in steps. Returns whether little is left.
  package mutating func giveBack(pieces: Int) -> Bool {
    var left = pieces
    giveBack(&left)
    return left > 0
  }

  mutating func giveBack(_ left: inout Int) {
    keys.giveBack(&left)
    leaves.giveBack(&left)
    inners.giveBack(&left)
  }

  package func key(of number: UInt32) -> RankKey {
    precondition(number < keys.count, "the entry is in the index")
    return keys[Int(number)]
  }

  /// Returns how many entries stand before this one.
  package func position(of number: UInt32) -> Int {
    let key = key(of: number)
    let (leaf, before) = find(key)
    return before + slot(of: number, key, in: leaf)
  }

  /// Returns how many entries stand before `key`, which need not be in the index.
  package func countBelow(_ key: RankKey) -> Int {
    let (leaf, before) = find(key)
    return before + lowerBound(of: key, leaf.frame.code(of: key), in: leaf)
  }

  /// Returns the numbers of the entries at the position `start`, counted from 0, and after it.
  package func numbers(from start: Int, count wanted: Int) -> [UInt32] {
    precondition(start >= 0 && wanted >= 0, "a range of positions")
    var found: [UInt32] = []
    let end = min(count, start + wanted)
    guard start < end else { return found }
    found.reserveCapacity(end - start)
    while start + found.count < end {
      let (leaf, first) = find(position: start + found.count)
      for slot in first..<min(leaf.count, first + end - start - found.count) {
        found.append(leaf.number(slot))
      }
    }
    return found
  }

  // MARK: The way down

  /// Returns the leaf that holds the key, or would hold it, and how many entries are in the leaves
  /// before it.
  func find(_ key: RankKey) -> (leaf: Leaf, before: Int) {
    var node = root
    var before = 0
    for _ in 0..<height {
      let inner = Inner(node)
      let slot = inner.childSlot(key)
      before += inner.weight(before: slot)
      node = inner.child(slot)
    }
    return (Leaf(node), before)
  }

  /// Returns the leaf that holds the entry at a position below `count`, and the entry's slot there.
  private func find(position: Int) -> (leaf: Leaf, slot: Int) {
    var node = root
    var position = position
    for _ in 0..<height {
      let inner = Inner(node)
      let (slot, before) = inner.childSlot(position: position)
      position -= before
      node = inner.child(slot)
    }
    return (Leaf(node), position)
  }

  /// Returns the slot of an entry that is in the leaf.
  @inline(__always)
  func slot(of number: UInt32, _ key: RankKey, in leaf: Leaf) -> Int {
    var slot = leaf.firstSlot(leaf.frame.code(of: key))
    while slot < leaf.count && leaf.number(slot) != number { slot += 1 }
    precondition(slot < leaf.count, "the entry is in the index")
    return slot
  }

  /// Returns the first slot whose key is not below `key`.
  @inline(__always)
  func lowerBound(of key: RankKey, _ code: Int16, in leaf: Leaf) -> Int {
    let slot = leaf.firstSlot(code)
    if slot == leaf.count || leaf.code(slot) != code { return slot }
    return lowerBound(of: key, in: leaf, slot..<leaf.endOfCode(from: slot))
  }

  /// Returns the first of some cells of one code whose key is not below `key`. New keys come after
  /// all keys of equal order, and a search for the first of an order looks for the first tie. So
  /// one look at the last or first cell is usually enough.
  private func lowerBound(of key: RankKey, in leaf: Leaf, _ cells: Range<Int>) -> Int {
    if keyAt(cells.upperBound - 1, of: leaf) < key { return cells.upperBound }
    if keyAt(cells.lowerBound, of: leaf) >= key { return cells.lowerBound }
    var (low, high) = (cells.lowerBound + 1, cells.upperBound - 1)
    while low < high {
      let middle = (low + high) >> 1
      if keyAt(middle, of: leaf) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func keyAt(_ slot: Int, of leaf: Leaf) -> RankKey { keys[Int(leaf.number(slot))] }
}
