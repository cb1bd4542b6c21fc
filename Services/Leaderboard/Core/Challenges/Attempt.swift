import Operations
import Wire

/// A submitted score, as the player's open challenges see it.
struct Attempt {
  /// With the value that counts against targets. Its arrival is 0 when it has none yet.
  var entry: Board.Entry
  /// Nil makes every challenge eligible.
  var eligible: Set<ChallengeID>?

  init(_ entry: Board.Entry, _ operation: SubmitScore) {
    self.entry = entry
    eligible = operation.eligibility == .listed ? Set(operation.eligibleChallenges) : nil
  }

  func meets(_ challenge: Challenge, _ order: ScoreOrder) -> Bool {
    if challenge.isOver(at: entry.date) { return false }
    if let eligible, !eligible.contains(challenge.id) { return false }
    return !order.isBetter(challenge.value, than: entry.value)
  }
}
