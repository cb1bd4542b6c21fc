import Wire

/// The keys of rows that nothing else removes, oldest first: kept for a while, and no more than so
/// many of them.
struct AgedKeys<Key: FieldValue> {
  let countMax: Int
  let keptMillisecondsMax: Int64
  private var entries = Queue<(key: Key, time: Int64)>()

  init(countMax: Int, keptMillisecondsMax: Int64) {
    self.countMax = countMax
    self.keptMillisecondsMax = keptMillisecondsMax
  }

  var count: Int { entries.count }

  /// - Precondition: no key before has a later time, or `sort` comes before the next `takeOld`.
  mutating func add(_ key: Key, time: Int64) { entries.append((key, time)) }

  /// Puts loaded keys in order; among equal times, always in the same one.
  mutating func sort() {
    let sorted = (0..<entries.count).map { entries[$0] }.sorted { left, right in
      if left.time != right.time { return left.time < right.time }
      return left.key.keyBytes.lexicographicallyPrecedes(right.key.keyBytes)
    }
    entries = Queue()
    for entry in sorted { entries.append(entry) }
  }

  /// When the next key is too old; nil when there is none.
  var nextTime: Int64? { entries.first.map { $0.time + keptMillisecondsMax + 1 } }

  /// Takes out at most so many keys that are too old or too many: their rows are to be removed.
  mutating func takeOld(now: Int64, atMost stepMax: Int) -> [Key] {
    var taken: [Key] = []
    while taken.count < stepMax, let oldest = entries.first,
      entries.count > countMax || oldest.time + keptMillisecondsMax < now
    {
      taken.append(entries.removeFirst().key)
    }
    return taken
  }
}
