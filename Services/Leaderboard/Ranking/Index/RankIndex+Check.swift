extension RankIndex {
  /// Returns the first broken invariant of the tree in words, for tests; it reads everything.
  package func fault() -> String? {
    if height > 0 && Inner(root).count < 2 { return "an inner root has fewer than two children" }
    var numbers: [UInt32] = []
    let result = fault(root, level: height, low: RankKey(bits: 0), high: nil, &numbers)
    if let result { return result }
    if numbers.count != count { return "the leaves have \(numbers.count) of \(count) entries" }
    for (number, next) in zip(numbers, numbers.dropFirst())
    where keys[Int(number)] >= keys[Int(next)] {
      return "entries \(number) and \(next) are out of order"
    }
    return nil
  }

  private func fault(
    _ node: Node, level: Int, low: RankKey, high: RankKey?, _ numbers: inout [UInt32]
  ) -> String? {
    if level == 0 { return fault(Leaf(node), low: low, high: high, &numbers) }
    let inner = Inner(node)
    if node != root && inner.count < Self.innerFillMin { return "an inner node has too few cells" }
    for slot in 0..<inner.count {
      let bound = slot == 0 ? low : inner.bound(slot)
      let next = slot + 1 < inner.count ? inner.bound(slot + 1) : high
      if bound < low { return "a bound is below its parent's" }
      if let next, next <= bound { return "bounds are out of order" }
      if slot > 0 && inner.childSlot(bound) != slot { return "a bound is not found" }
      let before = numbers.count
      if let fault = fault(inner.child(slot), level: level - 1, low: bound, high: next, &numbers) {
        return fault
      }
      if numbers.count - before != inner.weight(slot) { return "a weight is wrong" }
    }
    return nil
  }

  private func fault(_ leaf: Leaf, low: RankKey, high: RankKey?, _ numbers: inout [UInt32])
    -> String?
  {
    if leaf.node != root && leaf.count < Self.leafFillMin { return "a leaf has too few entries" }
    for slot in 0..<Leaf.capacity {
      guard slot < leaf.count else {
        if leaf.code(slot) != KeyFrame.unused { return "an unused cell has a code" }
        continue
      }
      let key = keyAt(slot, of: leaf)
      if key < low { return "a key is below its leaf's bound" }
      if let high, key >= high { return "a key is not below the next leaf's bound" }
      if leaf.code(slot) != leaf.frame.code(of: key) { return "a code is not its key's" }
      numbers.append(leaf.number(slot))
    }
    return nil
  }
}
