/// A jump ahead that is believed once after a start, though the monotonic clock does not explain
/// it: the machine's clock may have been behind when the process began, as with an empty battery,
/// and is put right later. Nothing tells for how long the process did not run.
package enum StartAllowance: Sendable {
  /// The clock was behind the time that is used. It is believed as far as this by the first reading
  /// that is behind no more. What time it has caught up with by itself explains nothing.
  case behind(millisecondsMax: Int64)
  /// Nothing says whether the clock was behind. It is believed as far as this, until so many
  /// microseconds of the monotonic clock.
  case unknown(millisecondsMax: Int64, untilMicroseconds: UInt64)
}
