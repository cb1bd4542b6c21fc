extension RankIndex {
  /// Adds an entry under a key that is not in the index, and gives its position from 0.
  @discardableResult
  mutating func insert(_ key: RankKey, _ entry: UInt32) -> Int {
    let leaf = descend(to: key)
    let slot = leaves.lowerBound(leaf, key)
    precondition(
      slot == leaves.count(leaf) || leaves.key(leaf, slot) != key, "the key is in the index")
    var position = slot
    for step in path {
      position += inners.weight(of: step.node, before: step.slot)
      inners.addWeight(step.node, step.slot, 1)
    }
    count += 1
    guard leaves.isFull(leaf) else {
      leaves.insert(leaf, at: slot, key, entry, weight: 1)
      return position
    }
    let right = leaves.allocate()
    let half = RankNodes.capacity / 2
    leaves.rebalance(leaf, right, leftCount: half)
    if slot <= half {
      leaves.insert(leaf, at: slot, key, entry, weight: 1)
    } else {
      leaves.insert(right, at: slot - half, key, entry, weight: 1)
    }
    didSplit(leaf, right, bound: leaves.key(right, 0), rightWeight: leaves.count(right))
    return position
  }

  /// Removes an entry; false when the key is not in the index.
  @discardableResult
  mutating func remove(_ key: RankKey) -> Bool {
    let leaf = descend(to: key)
    let slot = leaves.lowerBound(leaf, key)
    guard slot < leaves.count(leaf), leaves.key(leaf, slot) == key else { return false }
    leaves.remove(leaf, at: slot)
    for step in path { inners.addWeight(step.node, step.slot, -1) }
    count -= 1
    if leaves.count(leaf) < RankNodes.fillMin { fillUp() }
    return true
  }

  private mutating func descend(to key: RankKey) -> UInt32 {
    path.removeAll(keepingCapacity: true)
    var node = root
    for _ in 0..<height {
      let slot = inners.childSlot(node, key)
      path.append((node, slot))
      node = inners.link(node, slot)
    }
    return node
  }

  // MARK: Splitting

  /// Tells the parents on the path, from below, that `left` gave its upper half to `right`.
  private mutating func didSplit(
    _ left: UInt32, _ right: UInt32, bound: RankKey, rightWeight: Int
  ) {
    var (left, right, bound, rightWeight) = (left, right, bound, rightWeight)
    while let (parent, slot) = path.popLast() {
      inners.setWeight(parent, slot, inners.weight(parent, slot) - rightWeight)
      guard inners.isFull(parent) else {
        inners.insert(parent, at: slot + 1, bound, right, weight: rightWeight)
        return
      }
      let upper = inners.allocate()
      let half = RankNodes.capacity / 2
      inners.rebalance(parent, upper, leftCount: half)
      if slot + 1 <= half {
        inners.insert(parent, at: slot + 1, bound, right, weight: rightWeight)
      } else {
        inners.insert(upper, at: slot + 1 - half, bound, right, weight: rightWeight)
      }
      (left, right) = (parent, upper)
      bound = inners.key(upper, 0)
      rightWeight = inners.weight(of: upper)
    }
    // The root itself was split.
    root = inners.allocate()
    inners.append(root, bound, left, weight: count - rightWeight)
    inners.append(root, bound, right, weight: rightWeight)
    height += 1
  }

  // MARK: Merging

  /// The node at the end of the path has too few cells: evens it out with a neighbour, or merges the
  /// two, which may leave the parent with too few.
  private mutating func fillUp() {
    var level = 0
    while let (parent, slot) = path.popLast() {
      let leftSlot = slot > 0 ? slot - 1 : slot
      if level == 0 {
        evenLeaves(parent, leftSlot)
      } else {
        evenInners(parent, leftSlot)
      }
      if inners.count(parent) >= RankNodes.fillMin { return }
      level += 1
    }
    while height > 0 && inners.count(root) == 1 {
      let child = inners.link(root, 0)
      inners.release(root)
      root = child
      height -= 1
    }
  }

  private mutating func evenLeaves(_ parent: UInt32, _ leftSlot: Int) {
    let (left, right) = (inners.link(parent, leftSlot), inners.link(parent, leftSlot + 1))
    let total = leaves.count(left) + leaves.count(right)
    if total <= RankNodes.fillMerged {
      leaves.rebalance(left, right, leftCount: total)
      leaves.release(right)
      didMerge(parent, leftSlot, weight: total)
    } else {
      leaves.rebalance(left, right, leftCount: total / 2)
      inners.setKey(parent, leftSlot + 1, leaves.key(right, 0))
      inners.setWeight(parent, leftSlot, leaves.count(left))
      inners.setWeight(parent, leftSlot + 1, leaves.count(right))
    }
  }

  private mutating func evenInners(_ parent: UInt32, _ leftSlot: Int) {
    let (left, right) = (inners.link(parent, leftSlot), inners.link(parent, leftSlot + 1))
    let total = inners.count(left) + inners.count(right)
    let weight = inners.weight(parent, leftSlot) + inners.weight(parent, leftSlot + 1)
    // The bound in a node's first cell means nothing until the cell gets another place.
    inners.setKey(right, 0, inners.key(parent, leftSlot + 1))
    if total <= RankNodes.fillMerged {
      inners.rebalance(left, right, leftCount: total)
      inners.release(right)
      didMerge(parent, leftSlot, weight: weight)
    } else {
      inners.rebalance(left, right, leftCount: total / 2)
      inners.setKey(parent, leftSlot + 1, inners.key(right, 0))
      let leftWeight = inners.weight(of: left)
      inners.setWeight(parent, leftSlot, leftWeight)
      inners.setWeight(parent, leftSlot + 1, weight - leftWeight)
    }
  }

  private mutating func didMerge(_ parent: UInt32, _ leftSlot: Int, weight: Int) {
    inners.remove(parent, at: leftSlot + 1)
    inners.setWeight(parent, leftSlot, weight)
  }
}
