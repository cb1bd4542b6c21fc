/// Shares a loop between handshakes and all else: an eighth and the rest where both want it, all of
/// it to whoever is alone. A value, without a clock.
///
/// A thousand who come at once take a second of processor time. Those who play wait for none of it:
/// a loop that has little to spare would else be behind by most of that second.
struct HandshakePace {
  /// Steps in one turn, however little all of them took. A step takes up to 0.8 ms of processor
  /// time, so that a turn gets no longer by more than 3 ms.
  static let stepsPerTurnMax = 4
  /// All else had nothing to do in a turn that took it less: one call takes more.
  static let quietMicroseconds: UInt64 = 16
  /// How many times as long as handshakes all else has the loop.
  static let othersWeight: Int64 = 7
  /// What the longest turn of all else counts as, in microseconds: the share of four steps.
  static let turnMax: Int64 = 3_200 * othersWeight

  /// How much longer all else has had than its share beside handshakes, in microseconds; below 0
  /// when it had less.
  private var credit: Int64 = 0

  /// All else had so long, in one turn. Nothing is saved up for later turns, or each of those who
  /// come now and then would lengthen a turn by four steps.
  mutating func othersHad(_ microseconds: UInt64) {
    let time = Int64(clamping: min(microseconds, 1 << 32))
    credit = min(credit + time, time, Self.turnMax)
    if microseconds < Self.quietMicroseconds { credit = max(credit, 0) }
  }

  /// Whether a step may be taken. It may take longer than what is left: later ones wait for that.
  var mayStep: Bool { credit >= 0 }

  mutating func stepTook(_ microseconds: UInt64) {
    credit -= Int64(clamping: min(microseconds, 1 << 32)) * Self.othersWeight
  }
}
