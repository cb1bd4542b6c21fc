extension PlayerTable {
  /// Returns the first broken invariant in words, for tests; it reads everything.
  func fault() -> String? {
    var free = Set<UInt32>()
    var next = released
    while let number = next {
      if !free.insert(number).inserted { return "a number was released twice" }
      next = previouslyReleased(number)
    }
    if count + free.count != numbersEnd { return "numbers are lost" }
    for number in 0..<UInt32(numbersEnd) where !free.contains(number) {
      if self.number(of: self[number]) != number { return "player \(number) is not found" }
    }
    return nil
  }
}
