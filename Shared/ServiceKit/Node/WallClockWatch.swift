/// Tells when the wall clock got ahead of where it was, by the monotonic clock: it was set, or
/// slewed for long. A loop waits by the monotonic clock, so what is due by the wall clock would
/// come late.
package struct WallClockWatch {
  /// Less is no step: the two clocks are not read at the same moment.
  static var stepMillisecondsMin: Int64 { 20 }

  /// From the monotonic clock to the wall clock in milliseconds, as of the last step.
  private var offset: Int64

  package init(wall: Int64, microseconds: UInt64) {
    offset = Self.offset(wall, microseconds)
  }

  /// Returns true when the wall clock has gained a step on the monotonic clock.
  package mutating func hasGained(wall: Int64, microseconds: UInt64) -> Bool {
    let new = Self.offset(wall, microseconds)
    let isStep = new >= offset + Self.stepMillisecondsMin
    // A clock that was set back needs no look: timers then wake too early and wait again.
    if isStep || new < offset { offset = new }
    return isStep
  }

  private static func offset(_ wall: Int64, _ microseconds: UInt64) -> Int64 {
    wall - Int64(microseconds / 1000)
  }
}
