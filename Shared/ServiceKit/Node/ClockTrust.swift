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
  /// The bound for the clock of a start that was behind, until it is behind no more.
  private var startGainMax: Int64?

  /// - Parameters:
  ///   - wall: a reading that is believed, in milliseconds since 1970.
  ///   - startGainMillisecondsMax: see `SteadyClock`.
  init(
    wall: Int64, microseconds: UInt64, gainMillisecondsMax: Int64,
    startGainMillisecondsMax: Int64?
  ) {
    gainMax = gainMillisecondsMax
    startGainMax = startGainMillisecondsMax
    offset = wall * 1000 - Int64(microseconds)
    readAt = microseconds
  }

  mutating func believes(wall: Int64, microseconds: UInt64) -> Bool {
    let gain = wall * 1000 - Int64(microseconds) - offset
    let eased = Int64(microseconds - readAt) / Self.easingDivisor
    readAt = microseconds
    if let startGainMax, gain / 1000 >= -gainMax, gain / 1000 <= startGainMax {
      self.startGainMax = nil
      offset += max(gain, 0)
      return true
    }
    if gain / 1000 > gainMax { return false }
    offset += min(max(gain, 0), eased)
    return true
  }
}
