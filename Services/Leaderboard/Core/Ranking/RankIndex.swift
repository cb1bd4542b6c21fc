/// Ranks of any number of entries, exact and in logarithmic time: how many stand before a key, which
/// entry stands at a rank, and both kept true under insertion and removal.
///
/// It is a counted B+ tree. Leaves hold keys and entry numbers in order; inner nodes hold, for each
/// child, a lower bound of its keys and how many entries are under it, so that the rank of a key is
/// the sum of the weights passed on the way down. With 64 cells to a node, ten million entries are
/// four levels. An entry takes 20 bytes in a leaf, 24 to 30 with what nodes leave free.
///
/// Invariants: all leaves are at one depth; every node but the root has at least `fillMin` cells, an
/// inner root at least two; a child's keys are not below its own bound and below the next one's.
struct RankIndex {
  var count = 0
  var leaves = RankNodes(isWeighted: false)
  var inners = RankNodes(isWeighted: true)
  var root: UInt32
  /// How many inner nodes are above a leaf.
  var height = 0
  /// Nodes and slots from the root to the leaf of the last descent: room that is used again.
  var path: [(node: UInt32, slot: Int)] = []

  init() {
    root = leaves.allocate()
    path.reserveCapacity(8)
  }

  /// Takes keys that are already in order, in linear time.
  init(sorted entries: [(key: RankKey, entry: UInt32)]) {
    self.init()
    guard !entries.isEmpty else { return }
    leaves.release(root)
    count = entries.count
    leaves.reserve(nodes: entries.count / RankNodes.fillLoaded + 2)
    var level = Self.pack(&leaves, entries.lazy.map { ($0.key, $0.entry, 1) })
    while level.count > 1 {
      level = Self.pack(&inners, level)
      height += 1
    }
    root = level[0].link
  }

  private typealias Cell = (key: RankKey, link: UInt32, weight: Int)

  /// Spreads cells evenly over as few nodes as hold them well, and gives a cell for each node.
  private static func pack<Cells: RandomAccessCollection>(
    _ nodes: inout RankNodes, _ cells: Cells
  ) -> [Cell] where Cells.Element == Cell, Cells.Index == Int {
    let nodeCount = (cells.count + RankNodes.fillLoaded - 1) / RankNodes.fillLoaded
    var parents: [Cell] = []
    parents.reserveCapacity(nodeCount)
    for number in 0..<nodeCount {
      let range = cells.count * number / nodeCount..<cells.count * (number + 1) / nodeCount
      let node = nodes.allocate()
      var weight = 0
      for cell in cells[range] {
        nodes.append(node, cell.key, cell.link, weight: cell.weight)
        weight += cell.weight
      }
      parents.append((cells[range.lowerBound].key, node, weight))
    }
    return parents
  }

  /// How many entries stand before `key`.
  func countBelow(_ key: RankKey) -> Int {
    var node = root
    var before = 0
    for _ in 0..<height {
      let slot = inners.childSlot(node, key)
      before += inners.weight(of: node, before: slot)
      node = inners.link(node, slot)
    }
    return before + leaves.lowerBound(node, key)
  }

  /// The entries at positions `start` and following, counted from 0.
  func entries(from start: Int, count wanted: Int) -> [UInt32] {
    var found: [UInt32] = []
    let end = min(count, start + wanted)
    guard start < end else { return found }
    found.reserveCapacity(end - start)
    collect(root, level: height, start..<end, into: &found)
    return found
  }

  /// Adds the entries at the positions of `range` within the subtree.
  private func collect(_ node: UInt32, level: Int, _ range: Range<Int>, into found: inout [UInt32])
  {
    if level == 0 {
      for slot in range { found.append(leaves.link(node, slot)) }
      return
    }
    var first = 0
    for slot in 0..<inners.count(node) where first < range.upperBound {
      let weight = inners.weight(node, slot)
      if first + weight > range.lowerBound {
        let low = max(range.lowerBound - first, 0)
        let high = min(range.upperBound - first, weight)
        collect(inners.link(node, slot), level: level - 1, low..<high, into: &found)
      }
      first += weight
    }
  }
}
