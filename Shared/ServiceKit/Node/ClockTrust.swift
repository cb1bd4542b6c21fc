/// Decides whether a reading of the wall clock is believed: it may be ahead of what the monotonic
/// clock explains by no more than a bound. A clock that jumps a year ahead would else expire all
/// that is kept for less, and the time that was written down could not be taken back.
///
/// What is set forward within the bound becomes what is explained little by little, so that many
/// small steps in a row are no way around the bound. What was believed once stays explained,
/// however long the clock is behind it then: else a clock that is put right would be refused.
package struct ClockTrust {
  /// Of steps in a row: services that keep clocks right step them by seconds, or slew them.
  package static var gainMillisecondsMax: Int64 { 300_000 }
  /// A difference is explained by and by, an eighth of a second in each second, as long as time
  /// that is ahead takes to lose it (see `SteadyClock`).
  static var easingDivisor: Int64 { SteadyClock.slowingDivisor }

  private let gainMax: Int64
  /// From the monotonic clock to the wall clock, in microseconds, as far as it is explained.
  private var offset: Int64
  private var readAt: UInt64
  /// Nil once it was used, or cannot be used any more.
  private var allowance: StartAllowance?
  /// How far the jump went that was believed because of it; 0 while there was none.
  private(set) var allowedMilliseconds: Int64 = 0

  /// - Parameter wall: a reading that is believed, in milliseconds since 1970.
  init(
    wall: Int64, microseconds: UInt64, gainMillisecondsMax: Int64, allowance: StartAllowance?
  ) {
    gainMax = gainMillisecondsMax
    self.allowance = allowance
    offset = wall * 1000 - Int64(microseconds)
    readAt = microseconds
  }

  /// - Parameter time: what is used where the reading is not believed.
  mutating func believes(wall: Int64, microseconds: UInt64, time: Int64) -> Bool {
    let gain = wall * 1000 - Int64(microseconds) - offset
    let eased = Int64(microseconds - readAt) / Self.easingDivisor
    readAt = microseconds
    if usesAllowance(gain: gain / 1000, isBehind: wall < time) {
      // Anew, also where that is less than what was explained: the clock is what is known best.
      offset += gain
      return true
    }
    if gain / 1000 > gainMax { return false }
    offset += min(max(gain, 0), eased)
    return true
  }

  private mutating func usesAllowance(gain: Int64, isBehind: Bool) -> Bool {
    let isUsed: Bool
    switch allowance {
    case nil: return false
    case .behind(let bound): isUsed = !isBehind && gain <= bound
    case .unknown(let bound, let end):
      if readAt > end {
        allowance = nil
        return false
      }
      isUsed = gain > gainMax && gain <= bound
    }
    if isUsed {
      allowance = nil
      if gain > gainMax { allowedMilliseconds = gain }
    }
    return isUsed
  }
}
