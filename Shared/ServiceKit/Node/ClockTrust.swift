/// Decides whether a reading of the wall clock is believed: it may be ahead of what the monotonic
/// clock explains by no more than a bound. A clock that jumps a year ahead would else expire all
/// that is kept for less, and the time that was written down could not be taken back.
///
/// What is set within the bound becomes what is explained little by little, forward and backward,
/// so that many small steps in a row are no way around the bound.
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
  /// How far the wall clock is ahead of what is explained, in milliseconds, while it is not
  /// believed; else 0.
  private(set) var refusedMilliseconds: Int64 = 0

  /// - Parameter wall: a reading that is believed, in milliseconds since 1970.
  init(wall: Int64, microseconds: UInt64, gainMillisecondsMax: Int64) {
    gainMax = gainMillisecondsMax
    offset = wall * 1000 - Int64(microseconds)
    readAt = microseconds
  }

  mutating func believes(wall: Int64, microseconds: UInt64) -> Bool {
    let gain = wall * 1000 - Int64(microseconds) - offset
    let eased = Int64(microseconds - readAt) / Self.easingDivisor
    readAt = microseconds
    if gain / 1000 > gainMax {
      refusedMilliseconds = gain / 1000
      return false
    }
    refusedMilliseconds = 0
    offset += min(max(gain, -eased), eased)
    return true
  }
}
