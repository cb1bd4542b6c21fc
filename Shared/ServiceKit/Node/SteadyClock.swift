/// Follows the wall clock forward. Where that is set back, time goes on more slowly, until the wall
/// clock has caught up: timers still come, and a lead of an hour is gone after eight hours.
package struct SteadyClock {
  /// Time that is ahead loses one part in so many: it goes on at seven eighths of the monotonic
  /// clock's rate. At the whole rate it would stay ahead for ever; much slower, what is due in a
  /// minute would come too late.
  static var slowingDivisor: Int64 { 8 }

  private var time: Int64
  private var microseconds: UInt64

  /// - Parameters:
  ///   - time: the last one used, in milliseconds since 1970; an earlier life may have had a clock
  ///     that was ahead.
  ///   - microseconds: of the monotonic clock.
  package init(time: Int64, microseconds: UInt64) {
    self.time = time
    self.microseconds = microseconds
  }

  /// Milliseconds since 1970; never goes back.
  package mutating func now(wall: Int64, microseconds now: UInt64) -> Int64 {
    let passed = Int64((now - microseconds) / 1000)
    let slowed = time + passed - passed / Self.slowingDivisor
    if wall < slowed { return slowed }
    (time, microseconds) = (wall, now)
    return wall
  }
}
