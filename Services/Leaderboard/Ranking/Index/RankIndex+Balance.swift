/// Room is made before it is needed: an insertion that finds its leaf full splits one node,
/// beginning with the highest full one on its path, and goes down again. A removal that leaves too
/// few entries fills nodes up, beginning with the leaf. Both touch a constant number of nodes on
/// each level.
extension RankIndex {
  /// A leaf with fewer entries takes some from its neighbour or is merged with it.
  static var leafFillMin: Int { Leaf.capacity * 3 / 8 }
  /// Entries up to which two leaves together are merged. With more, each half is above
  /// `leafFillMin`; with fewer, the merged leaf has room. So the next change undoes neither.
  static var leafMergeMax: Int { Leaf.capacity * 7 / 8 }
  /// A full leaf shares entries with a neighbour that has no more than this, and is not split. That
  /// fills leaves better, by an eighth.
  static var leafShareMax: Int { Leaf.capacity * 3 / 4 }
  static var innerFillMin: Int { Inner.capacity / 4 }
  static var innerMergeMax: Int { Inner.capacity * 3 / 4 }

  // MARK: Room

  /// Takes one step towards room in the full leaf at the end of the path.
  mutating func makeRoom() {
    if height == 0 { return growRoot() }
    let (parent, slot) = (path[height - 1].node, path[height - 1].slot)
    if slot > 0 && Leaf(parent.child(slot - 1)).count <= Self.leafShareMax {
      share(parent, slot - 1)
    } else if slot + 1 < parent.count && Leaf(parent.child(slot + 1)).count <= Self.leafShareMax {
      share(parent, slot)
    } else if parent.isFull {
      splitInner(level: height - 1)
    } else {
      splitLeaf(parent, slot)
    }
  }

  /// Puts a root with one child above the root.
  private mutating func growRoot() {
    let above = Inner(inners.allocate())
    above.initialize()
    above.append(RankKey(bits: 0), root, weight: count)
    above.fit()
    root = above.node
    height += 1
  }

  /// Splits the inner node at a level of the path, or, if the nodes above it are full, the highest
  /// of them.
  private mutating func splitInner(level: Int) {
    if level == 0 {
      path[0] = Path.Step(node: Inner(root), slot: 0)
      growRoot()
      return split(path[0].node, under: Inner(root), 0)
    }
    let (parent, slot) = (path[level - 1].node, path[level - 1].slot)
    if parent.isFull { return splitInner(level: level - 1) }
    split(path[level].node, under: parent, slot)
  }

  private mutating func split(_ left: Inner, under parent: Inner, _ slot: Int) {
    let right = Inner(inners.allocate())
    right.initialize()
    left.share(with: right, leftCount: left.count / 2)
    let bound = right.bound(0)
    left.fit()
    right.fit()
    parent.setWeight(slot, left.weight)
    parent.insert(at: slot + 1, bound, right.node, weight: right.weight)
    parent.fit()
  }

  private mutating func splitLeaf(_ parent: Inner, _ slot: Int) {
    let right = Leaf(leaves.allocate())
    right.initialize()
    parent.insert(at: slot + 1, RankKey(bits: 0), right.node, weight: 0)
    share(parent, slot)
  }

  /// Moves entries between two neighbouring leaves until both have as many.
  private mutating func share(_ parent: Inner, _ slot: Int) {
    let (left, right) = (Leaf(parent.child(slot)), Leaf(parent.child(slot + 1)))
    left.share(with: right, leftCount: (left.count + right.count) / 2)
    fit(left)
    fit(right)
    parent.setWeight(slot, left.count)
    parent.setWeight(slot + 1, right.count)
    parent.setBound(slot + 1, keyAt(0, of: right))
    parent.fit()
  }

  /// Fits a leaf's frame to its keys, and reads all of them.
  func fit(_ leaf: Leaf) {
    let count = leaf.count
    defer { leaf.clearRest() }
    guard count > 0 else { return }
    let frame = KeyFrame(from: keyAt(0, of: leaf), through: keyAt(count - 1, of: leaf))
    leaf.frame = frame
    for slot in 0..<count { leaf.setCode(slot, frame.code(of: keyAt(slot, of: leaf))) }
  }

  // MARK: Filling up

  /// Fills up the leaf at the end of the path, which has too few entries.
  mutating func fillUp() {
    if height == 0 { return }
    let parent = path[height - 1].node
    let slot = max(0, path[height - 1].slot - 1)
    let (left, right) = (Leaf(parent.child(slot)), Leaf(parent.child(slot + 1)))
    let total = left.count + right.count
    if total > Self.leafMergeMax { return share(parent, slot) }
    left.share(with: right, leftCount: total)
    fit(left)
    leaves.release(right.node)
    didMerge(parent, slot, weight: total)
    if parent.count < Self.innerFillMin { fillUpInner(level: height - 1) }
  }

  private mutating func fillUpInner(level: Int) {
    if level == 0 { return lowerRoot() }
    let parent = path[level - 1].node
    let slot = max(0, path[level - 1].slot - 1)
    let (left, right) = (Inner(parent.child(slot)), Inner(parent.child(slot + 1)))
    let total = left.count + right.count
    // The first cell's bound meant nothing so far; the cell is about to move, and needs it then.
    right.setBound(0, parent.bound(slot + 1))
    if total > Self.innerMergeMax { return shareInner(parent, slot, left, right) }
    left.share(with: right, leftCount: total)
    left.fit()
    inners.release(right.node)
    didMerge(parent, slot, weight: left.weight)
    if parent.count < Self.innerFillMin { fillUpInner(level: level - 1) }
  }

  private func shareInner(_ parent: Inner, _ slot: Int, _ left: Inner, _ right: Inner) {
    left.share(with: right, leftCount: (left.count + right.count) / 2)
    left.fit()
    right.fit()
    parent.setWeight(slot, left.weight)
    parent.setWeight(slot + 1, right.weight)
    parent.setBound(slot + 1, right.bound(0))
    parent.fit()
  }

  private func didMerge(_ parent: Inner, _ slot: Int, weight: Int) {
    parent.remove(at: slot + 1)
    parent.setWeight(slot, weight)
    parent.fit()
  }

  /// Makes the only child of the root the root.
  private mutating func lowerRoot() {
    while height > 0 && Inner(root).count == 1 {
      let child = Inner(root).child(0)
      inners.release(root)
      root = child
      height -= 1
    }
  }
}
