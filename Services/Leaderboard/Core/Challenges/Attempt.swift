import Operations
import Wire

/// What a submitted score means for the player's open challenges.
struct Attempt {
  var player: PlayerID
  /// The value that counts against targets.
  var value: Int64
  var context: UInt64
  var date: Int64
  /// The board's number of it; 0 when it has none yet.
  var arrival: UInt64
  /// Nil makes every challenge eligible.
  var eligible: Set<ChallengeID>?

  func meets(_ challenge: Challenge, _ order: ScoreOrder) -> Bool {
    if challenge.isOver(at: date) { return false }
    if let eligible, !eligible.contains(challenge.id) { return false }
    return !order.isBetter(challenge.value, than: value)
  }
}
