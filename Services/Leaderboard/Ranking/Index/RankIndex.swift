/// Ranks of any number of entries, exact and in logarithmic time: how many stand before a key, which
/// entry stands at a position, and both kept true while keys come, change and go.
///
/// It is a counted B+ tree over a column of keys. The column has the key of each entry number; leaves
/// hold entry numbers in the order of their keys; inner nodes hold, for each child, a lower bound of
/// its keys and how many entries are under it, so that the position of a key is the sum of the
/// weights passed on the way down. In every node keys are stood for by codes of two bytes, so that a
/// search looks at two or three cache lines. Ten million entries are a leaf's level and three above
/// it; an entry takes 16 bytes in the column and about 8 in the tree.
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
  /// The inner nodes of the last descent, from the root down, with the slots taken: room that is
  /// used again. The second is for an update, which goes down two ways at once.
  var path = Path()
  var oldPath = Path()

  package init() {
    root = leaves.allocate()
    Leaf(root).initialize()
  }

  /// The bytes that the column and the tree have taken from the system.
  package var bytes: Int { keys.bytes + leaves.bytes + inners.bytes }

  /// Numbers below this one have a key, or had one.
  package var numbersEnd: Int { keys.count }

  /// Gives memory back, at most so many large pages, so that an index of any size can go in steps;
  /// nothing must be read again. True when what is left is little.
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

  /// How many entries stand before this one.
  package func position(of number: UInt32) -> Int {
    let key = key(of: number)
    let (leaf, before) = find(key)
    return before + slot(of: number, key, in: leaf)
  }

  /// How many entries stand before `key`, which need not be in the index.
  package func countBelow(_ key: RankKey) -> Int {
    let (leaf, before) = find(key)
    return before + lowerBound(of: key, leaf.frame.code(of: key), in: leaf)
  }

  /// The entries at positions `start` and following, counted from 0.
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

  /// The leaf that holds the key, or would, and how many entries are in the leaves before it.
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

  /// The leaf that holds the entry at a position below `count`, and its slot there.
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

  /// The slot of an entry that is in the leaf.
  @inline(__always)
  func slot(of number: UInt32, _ key: RankKey, in leaf: Leaf) -> Int {
    var slot = leaf.firstSlot(leaf.frame.code(of: key))
    while slot < leaf.count && leaf.number(slot) != number { slot += 1 }
    precondition(slot < leaf.count, "the entry is in the index")
    return slot
  }

  /// The first slot whose key is not below `key`, which has a code in this leaf.
  @inline(__always)
  func lowerBound(of key: RankKey, _ code: Int16, in leaf: Leaf) -> Int {
    let slot = leaf.firstSlot(code)
    if slot == leaf.count || leaf.code(slot) != code { return slot }
    return lowerBound(of: key, in: leaf, slot..<leaf.endOfCode(from: slot))
  }

  /// Among cells of one code. New keys come after all of equal order, and a search for the first of
  /// an order looks for the first tie: mostly one look at the end or at the start is enough.
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
