import Domain

/// When the oldest of the open effects was made, to ten seconds: they are counted by the time in
/// which they were made, so that an effect costs a count and no row. An older one that is sent
/// again joins a period that is there, which is told as old as it until all of its are closed.
struct EffectAges {
  static let periodMilliseconds: UInt64 = 10_000
  /// Past this many, every two are made one: the age of an effect that is open for long is then
  /// told less exactly, and never as less than it is.
  static let periodsMax = 128

  private struct Period {
    /// Effects from this number on are of the period, up to the first one of the next.
    var first: UInt64
    /// Less than 0 for effects of an earlier life.
    var began: Int64
    var count: Int
  }

  private var periods: [Period] = []
  private var newest: UInt64 = 0

  /// - Parameters:
  ///   - number: numbers of effects grow, though some are added after ones that are greater.
  ///   - now: milliseconds.
  ///   - age: how long it was open by then.
  mutating func add(_ number: UInt64, at now: UInt64, age: UInt64 = 0) {
    let made = Int64(now) - Int64(age)
    let isOld = periods.last.map { made >= $0.began + Int64(Self.periodMilliseconds) } ?? true
    if periods.isEmpty || isOld && number > newest {
      periods.append(Period(first: number, began: made, count: 1))
      if periods.count > Self.periodsMax { mergePairs() }
    } else {
      let index = place(of: number)
      periods[index].count += 1
      // One with a lesser number may be sent again, and be open since a restore alone.
      periods[index].began = min(periods[index].began, made)
    }
    newest = max(newest, number)
  }

  mutating func remove(_ number: UInt64) {
    if periods.isEmpty { return }
    periods[place(of: number)].count -= 1
    let gone = periods.prefix { $0.count <= 0 }.count
    if gone > 0 { periods.removeFirst(gone) }
  }

  /// Milliseconds; 0 when no effect is open.
  func oldest(at now: UInt64) -> UInt64 {
    periods.lazy.filter { $0.count > 0 }.map(\.began).min().map { UInt64(Int64(now) - $0) } ?? 0
  }

  var count: Int { periods.reduce(0) { $0 + $1.count } }

  /// The last period that begins with the number or before it, or else the first one.
  private func place(of number: UInt64) -> Int {
    max(0, periods.sortedCount { $0.first <= number } - 1)
  }

  private mutating func mergePairs() {
    var merged: [Period] = []
    for (index, period) in periods.enumerated() {
      if index % 2 == 1 {
        merged[merged.count - 1].count += period.count
        merged[merged.count - 1].began = min(merged[merged.count - 1].began, period.began)
      } else {
        merged.append(period)
      }
    }
    periods = merged
  }
}
