extension RandomAccessCollection where Index == Int {
  /// How many elements pass a test that holds for the first ones and for none after them; in a
  /// sorted list, how many stand before a place. O(log n).
  @inlinable
  public func sortedCount(where isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low - startIndex
  }
}
