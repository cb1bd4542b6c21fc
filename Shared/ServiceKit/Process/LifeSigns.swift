/// Which parts of a process have shown since they were asked that they live.
struct LifeSigns {
  private var missing: Set<Int> = []

  /// Asks all parts, by number; false while an answer to the question before is missing.
  mutating func ask(_ parts: Range<Int>) -> Bool {
    guard missing.isEmpty else { return false }
    missing = Set(parts)
    return true
  }

  /// Returns whether this was the last of the parts to answer.
  mutating func heard(from part: Int) -> Bool { missing.remove(part) != nil && missing.isEmpty }
}
