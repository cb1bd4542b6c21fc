public import Wire

/// The keys of rows that nothing else removes, oldest first: kept for a while, and no more than so
/// many of them, with so many bytes. A key may be added again, and is in it once for each time
/// then.
public struct AgedKeys<Key: FieldValue> {
  let countMax: Int
  let bytesMax: Int
  let keptMillisecondsMax: Int64
  private var entries = Queue<(key: Key, time: Int64, bytes: Int)>()
  /// Those of all rows.
  private(set) var bytes = 0

  public init(countMax: Int, bytesMax: Int = .max, keptMillisecondsMax: Int64) {
    self.countMax = countMax
    self.bytesMax = bytesMax
    self.keptMillisecondsMax = keptMillisecondsMax
  }

  var count: Int { entries.count }
  var oldestTime: Int64? { entries.first?.time }

  /// The time of the oldest key that is newer than a time; nil for none. O(log n).
  func oldestTime(after time: Int64) -> Int64? {
    let place = entries.sortedCount { $0.time <= time }
    return place < count ? entries[place].time : nil
  }

  /// - Parameter bytes: about how many the row has; of no matter without a bound.
  /// - Precondition: no key before has a later time, or `sort` comes before the next `takeOld`.
  public mutating func add(_ key: Key, time: Int64, bytes: Int = 0) {
    entries.append((key, time, bytes))
    self.bytes += bytes
  }

  /// Puts loaded keys in order; among equal times, always in the same one.
  public mutating func sort() {
    let sorted = entries.sorted { left, right in
      if left.time != right.time { return left.time < right.time }
      return left.key.keyBytes.lexicographicallyPrecedes(right.key.keyBytes)
    }
    entries = Queue()
    for entry in sorted { entries.append(entry) }
  }

  /// When the next key is too old; nil when there is none.
  var nextTime: Int64? { entries.first.map { $0.time + keptMillisecondsMax + 1 } }

  /// Takes out at most so many keys that are too old or too many, with the time of each: its row is
  /// to be removed unless the key was added again since.
  ///
  /// - Parameter others: keys elsewhere that count toward the bounds, and are newer.
  public mutating func takeOld(now: Int64, atMost stepMax: Int, beside others: Self? = nil)
    -> [(key: Key, time: Int64)]
  {
    var taken: [(key: Key, time: Int64)] = []
    while taken.count < stepMax, let oldest = entries.first,
      isOver(beside: others) || isOld(oldest.time, at: now)
    {
      let entry = entries.removeFirst()
      bytes -= entry.bytes
      taken.append((entry.key, entry.time))
    }
    return taken
  }

  /// Whether there are too many keys, or too many bytes.
  func isOver(beside others: Self? = nil) -> Bool {
    if entries.isEmpty { return false }
    return entries.count + (others?.count ?? 0) > countMax
      || bytes + (others?.bytes ?? 0) > bytesMax
  }

  /// Whether a key of that time was kept for long enough.
  func isOld(_ time: Int64, at now: Int64) -> Bool { time + keptMillisecondsMax < now }
}
