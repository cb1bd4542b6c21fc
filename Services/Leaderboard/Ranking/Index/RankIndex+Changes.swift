extension RankIndex {
  /// Adds an entry that is not in the index, under a key that no other entry has, and returns its
  /// position from 0. Numbers are dense: this one was in the index before, or is the next one.
  @discardableResult
  package mutating func insert(_ number: UInt32, _ key: RankKey) -> Int {
    setKey(number, key)
    return insert(number)
  }

  /// Sets the key of an entry, before `insert` or `build` makes the entry part of the tree.
  package mutating func setKey(_ number: UInt32, _ key: RankKey) {
    precondition(number <= keys.count, "entry numbers are dense")
    if number == keys.count { keys.append(key) } else { keys[Int(number)] = key }
  }

  private mutating func insert(_ number: UInt32) -> Int {
    let key = keys[Int(number)]
    var (leaf, before) = descend(to: key)
    while leaf.isFull {
      makeRoom()
      (leaf, before) = descend(to: key)
    }
    let code = leaf.frame.code(of: key)
    let slot = lowerBound(of: key, code, in: leaf)
    precondition(
      slot == leaf.count || leaf.code(slot) != code || keyAt(slot, of: leaf) != key,
      "the key is in the index")
    leaf.insert(at: slot, code, number)
    for level in 0..<height { path[level].node.addWeight(path[level].slot, 1) }
    count += 1
    return before + slot
  }

  /// Removes an entry that is in the index.
  package mutating func remove(_ number: UInt32) {
    let key = key(of: number)
    let (leaf, _) = descend(to: key)
    leaf.remove(at: slot(of: number, key, in: leaf))
    for level in 0..<height { path[level].node.addWeight(path[level].slot, -1) }
    count -= 1
    if leaf.count < Self.leafFillMin { fillUp() }
  }

  /// Gives an entry that is in the index another key, and returns its new position from 0.
  ///
  /// It goes down both ways at once, to the entry's old place and to its new one, so that neither
  /// waits for the other's memory. Usually no node has to be split or merged; otherwise this is a
  /// removal and an insertion.
  @discardableResult
  package mutating func update(_ number: UInt32, to key: RankKey) -> Int {
    let old = self.key(of: number)
    let (oldLeaf, leaf, before) = descend(from: old, to: key)
    if leaf.node == oldLeaf.node { return before + move(number, from: old, to: key, in: leaf) }
    guard !leaf.isFull && oldLeaf.count > Self.leafFillMin else {
      remove(number)
      return insert(number, key)
    }
    let code = leaf.frame.code(of: key)
    let oldSlot = slot(of: number, old, in: oldLeaf)
    let slot = lowerBound(of: key, code, in: leaf)
    keys[Int(number)] = key
    oldLeaf.remove(at: oldSlot)
    leaf.insert(at: slot, code, number)
    for level in 0..<height {
      oldPath[level].node.addWeight(oldPath[level].slot, -1)
      path[level].node.addWeight(path[level].slot, 1)
    }
    return before + slot
  }

  /// Moves the entry within its leaf, and returns its new slot.
  private mutating func move(_ number: UInt32, from old: RankKey, to key: RankKey, in leaf: Leaf)
    -> Int
  {
    let oldSlot = slot(of: number, old, in: leaf)
    let code = leaf.frame.code(of: key)
    var slot = lowerBound(of: key, code, in: leaf)
    if slot > oldSlot { slot -= 1 }
    leaf.move(from: oldSlot, to: slot, code)
    keys[Int(number)] = key
    return slot
  }

  // MARK: The way down

  /// Does what `find` does, and keeps the path.
  private func descend(to key: RankKey) -> (leaf: Leaf, before: Int) {
    var node = root
    var before = 0
    for level in 0..<height {
      let inner = Inner(node)
      let slot = inner.childSlot(key)
      path[level] = Path.Step(node: inner, slot: slot)
      before += inner.weight(before: slot)
      node = inner.child(slot)
    }
    return (Leaf(node), before)
  }

  /// Goes down to both keys. `before` counts the entries before the new key without the old one.
  private func descend(from old: RankKey, to key: RankKey) -> (old: Leaf, new: Leaf, before: Int) {
    var (oldNode, node) = (root, root)
    var before = 0
    for level in 0..<height {
      let (oldInner, inner) = (Inner(oldNode), Inner(node))
      let (oldSlot, slot) = (oldInner.childSlot(old), inner.childSlot(key))
      oldPath[level] = Path.Step(node: oldInner, slot: oldSlot)
      path[level] = Path.Step(node: inner, slot: slot)
      before += inner.weight(before: slot)
      // Where the two ways part, it shows whether the old entry is among those before the new
      // place.
      before -= oldNode == node && oldSlot < slot ? 1 : 0
      (oldNode, node) = (oldInner.child(oldSlot), inner.child(slot))
    }
    return (Leaf(oldNode), Leaf(node), before)
  }
}
