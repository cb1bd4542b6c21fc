import Operations
import Wire

/// What a board decides of challenges, from the issuer's attempts on it.
extension BoardModel {
  /// - Parameter participants: who was in the board's context while the call was made; nil when it
  ///   is linked to none.
  mutating func issue(
    _ issuer: PlayerID, _ issue: IssueScoreChallenge, _ reply: IssueScoreChallenge.Reply,
    participants: [Set<PlayerID>]?, at now: Int64
  ) throws(Violation) {
    guard let own = shown(issuer, at: now) else {
      throw Violation(description: "\(issuer) challenged without a score")
    }
    let target = issue.value ?? own.value
    if isBetter(target, than: own.value) {
      throw Violation(description: "\(issuer) challenged with \(target) and has \(own.value)")
    }
    var receivers: [PlayerID] = []
    for receiver in issue.receivers where !receivers.contains(receiver) {
      receivers.append(receiver)
    }
    guard reply.outcomes.map(\.receiver) == receivers else {
      throw Violation(description: "\(issue) came to \(reply)")
    }
    let challenged = reply.outcomes.filter { $0.refusal == .none }.map(\.receiver)
    guard participants?.contains(where: { $0.isSuperset(of: challenged + [issuer]) }) != false
    else {
      throw Violation(
        description: "\(issuer) challenged \(challenged), who were not all in the board's context")
    }
    for outcome in reply.outcomes {
      guard isRight(outcome, issuer, target, at: now) else {
        throw Violation(
          description: "\(issuer) challenged \(outcome.receiver) with the outcome \(outcome)")
      }
      guard let id = outcome.challenge else { continue }
      var challenge = Challenge()
      challenge.id = id
      challenge.board = definition.board
      challenge.issuer = issuer
      challenge.receiver = outcome.receiver
      challenge.value = target
      challenge.scoreTag = issue.value == nil ? own.context : issue.scoreTag
      challenge.message = issue.message
      challenge.issueDate = now
      challenge.expiryDate = issue.lifetimeMilliseconds.map { now + Int64($0) }
      try challenges.add(challenge)
    }
  }

  /// Whether the two are friends is known elsewhere.
  private func isRight(
    _ outcome: ChallengeOutcome, _ issuer: PlayerID, _ target: Int64, at now: Int64
  ) -> Bool {
    let isOneself = outcome.receiver == issuer
    let isMet = hasMet(target, outcome.receiver, at: now)
    let isFull = challenges.isFull(outcome.receiver, from: issuer)
    switch outcome.refusal {
    case .none: return !isOneself && !isMet && !isFull && outcome.challenge != nil
    case .oneself: return isOneself && outcome.challenge == nil
    case .alreadyMet: return !isOneself && isMet && outcome.challenge == nil
    case .limitReached: return !isMet && isFull && outcome.challenge == nil
    default: return outcome.refusal == .notReachable && !isOneself && outcome.challenge == nil
    }
  }

  /// Whether a player's sum meets a target before any further attempt. What is in quarantine counts
  /// again when it is released, and so it does here.
  private func hasMet(_ target: Int64, _ player: PlayerID, at now: Int64) -> Bool {
    let occurrence = current(at: now)?.number
    let own = attempts.filter {
      $0.player == player && $0.occurrence == occurrence && !$0.isRemoved
    }
    if definition.aggregation != .sum || own.isEmpty { return false }
    return !isBetter(target, than: own.map(\.value).reduce(0, +))
  }

  /// Whether a beaten challenge is to be issued back.
  func wants(_ offer: ReturnScoreChallenge, at now: Int64) -> Bool {
    if definition.linkedContext != nil { return false }
    let pending = challenges.eligible(for: offer.receiver, at: now, .all, [])
    let asksAsMuch = pending.contains {
      $0.issuer == offer.issuer && !isBetter(offer.score.value, than: $0.value)
    }
    return !asksAsMuch && !hasMet(offer.score.value, offer.receiver, at: now)
      && !challenges.isFull(offer.receiver, from: offer.issuer)
  }
}
