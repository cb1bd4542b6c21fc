/// The wall clock, but for its steps back: what it lost by one is made up by the monotonic clock, at
/// whose rate time goes on. A step forward is taken as it is.
package struct SteadyClock {
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
    if wall < time + passed { return time + passed }
    (time, microseconds) = (wall, now)
    return wall
  }
}
