public import Wire

/// The keys of rows that nothing else removes, oldest first: kept for a while, and no more than so
/// many of them. A key may be added again, and is in it once for each time then.
public struct AgedKeys<Key: FieldValue> {
  let countMax: Int
  let keptMillisecondsMax: Int64
  private var entries = Queue<(key: Key, time: Int64)>()

  public init(countMax: Int, keptMillisecondsMax: Int64) {
    self.countMax = countMax
    self.keptMillisecondsMax = keptMillisecondsMax
  }

  var count: Int { entries.count }
  var oldestTime: Int64? { entries.first?.time }

  /// - Precondition: no key before has a later time, or `sort` comes before the next `takeOld`.
  public mutating func add(_ key: Key, time: Int64) { entries.append((key, time)) }

  /// Puts loaded keys in order; among equal times, always in the same one.
  public mutating func sort() {
    let sorted = (0..<entries.count).map { entries[$0] }.sorted { left, right in
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
  /// - Parameter others: keys elsewhere that count toward the bound, and are newer.
  public mutating func takeOld(now: Int64, atMost stepMax: Int, beside others: Int = 0)
    -> [(key: Key, time: Int64)]
  {
    var taken: [(key: Key, time: Int64)] = []
    while taken.count < stepMax, let oldest = entries.first,
      entries.count + others > countMax || oldest.time + keptMillisecondsMax < now
    {
      taken.append(entries.removeFirst())
    }
    return taken
  }
}
