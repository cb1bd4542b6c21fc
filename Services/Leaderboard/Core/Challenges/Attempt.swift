import Operations
import Wire

/// A submitted score, as the player's open challenges see it.
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

  /// - Parameter entry: with the value that counts against targets.
  init(_ entry: Board.Entry, _ operation: SubmitScore) {
    player = entry.player
    value = entry.value
    context = entry.context
    date = entry.date
    arrival = entry.arrival
    eligible = operation.eligibility == .listed ? Set(operation.eligibleChallenges) : nil
  }

  func meets(_ challenge: Challenge, _ order: ScoreOrder) -> Bool {
    if challenge.isOver(at: date) { return false }
    if let eligible, !eligible.contains(challenge.id) { return false }
    return !order.isBetter(challenge.value, than: value)
  }
}
