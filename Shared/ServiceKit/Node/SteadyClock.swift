/// Follows the wall clock forward, as far as that is to be believed (`ClockTrust`). Where it is
/// not, time goes on by the monotonic clock.
///
/// Where the wall clock is set back, time goes on more slowly, until the wall clock has caught up:
/// timers still come, and a lead of an hour is gone after eight hours.
package struct SteadyClock {
  /// Time that is ahead loses one part in so many: it goes on at seven eighths of the monotonic
  /// clock's rate. At the whole rate it would stay ahead for ever; much slower, what is due in a
  /// minute would come too late.
  static var slowingDivisor: Int64 { 8 }

  /// The time of the last reading, in parts of which a microsecond has `slowingDivisor`: none is
  /// lost, however often the clock is read.
  private var parts: Int64
  private var microseconds: UInt64
  private var trust: ClockTrust
  /// How far the wall clock is ahead of the time that is used, in milliseconds, while it is not
  /// believed; else 0.
  package private(set) var refusedMilliseconds: Int64 = 0
  /// How far the jump went that was believed because of the start; 0 while there was none.
  package var allowedMilliseconds: Int64 { trust.allowedMilliseconds }
  /// The time in the present turn; nil when it is to be read anew.
  private var present: (turn: UInt64, time: Int64)?

  /// - Parameters:
  ///   - time: the last one used, or what the wall clock says at the start where that is later, in
  ///     milliseconds since 1970; an earlier life may have had a clock that was ahead.
  ///   - microseconds: of the monotonic clock.
  ///   - gainMillisecondsMax: how far ahead of what is explained the wall clock is believed.
  ///   - allowance: how far ahead it is believed once for all that, because of the start.
  package init(
    time: Int64, microseconds: UInt64,
    gainMillisecondsMax: Int64 = ClockTrust.gainMillisecondsMax,
    allowance: StartAllowance? = nil
  ) {
    parts = time * Self.partsPerMillisecond
    self.microseconds = microseconds
    trust = ClockTrust(
      wall: time, microseconds: microseconds, gainMillisecondsMax: gainMillisecondsMax,
      allowance: allowance)
  }

  private static var partsPerMillisecond: Int64 { 1000 * slowingDivisor }
  private var time: Int64 { parts / Self.partsPerMillisecond }

  /// The time as of the start of a turn, at which it is first asked for: the clocks are read once
  /// for all that comes in a turn.
  ///
  /// - Parameter turn: the loop's time; turns within one millisecond share it.
  package mutating func now(
    inTurn turn: UInt64, wall: @autoclosure () -> Int64, microseconds: @autoclosure () -> UInt64
  ) -> Int64 {
    if let present, present.turn == turn { return present.time }
    let time = now(wall: wall(), microseconds: microseconds())
    present = (turn, time)
    return time
  }

  /// The wall clock was set: what was read of it in this turn does not hold any more.
  package mutating func wallClockChanged() { present = nil }

  /// Milliseconds since 1970; never goes back.
  mutating func now(wall: Int64, microseconds now: UInt64) -> Int64 {
    let passed = Int64(now - microseconds)
    microseconds = now
    let slowed = parts + passed * (Self.slowingDivisor - 1)
    guard
      trust.believes(
        wall: wall, microseconds: now, time: slowed / Self.partsPerMillisecond)
    else {
      parts += passed * Self.slowingDivisor
      refusedMilliseconds = wall - time
      return time
    }
    refusedMilliseconds = 0
    parts = max(slowed, wall * Self.partsPerMillisecond)
    return time
  }
}
