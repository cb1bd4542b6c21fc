import Domain
import Operations
import Wire

/// Achievement challenges live at their receiver's key, in the list of received ones: it alone decides
/// what becomes of them. The issuer's list is a copy that effects bring up to date.
extension LeaderboardCore {
  func issueAchievementChallenge(
    _ operation: IssueAchievementChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> IssueAchievementChallenge.Reply {
    try Stop.check(operation.fault)
    let rule = try rule(operation.achievement, call)
    guard
      try call.fact(FetchReportedAchievements.self).achievements.contains(where: {
        $0.achievement == operation.achievement && $0.isCompleted
      })
    else {
      throw .refuse(
        .notAllowed, argument: "achievement",
        "You have not completed this achievement: earn it before you challenge others to.")
    }
    var reply = IssueAchievementChallenge.Reply()
    reply.outcome.receiver = operation.receiver
    reply.outcome.refusal = try refusal(of: operation.receiver, rule, call, transaction)
    guard reply.outcome.refusal == .none else { return reply }
    var challenge = Challenge()
    challenge.id = transaction.identifier()
    challenge.achievement = operation.achievement
    challenge.issuer = call.player
    challenge.receiver = operation.receiver
    challenge.message = operation.message
    challenge.issueDate = transaction.now
    challenge.setExpiry(after: operation.lifetimeMilliseconds)
    putReceived(challenge, call.game, &transaction)
    expiries.push(challenge, at: call.key, game: call.game)
    tellIssuersList(challenge, call.game, &transaction)
    tell(ChallengeReceived(challenge), challenge.receiver, call.game, &transaction)
    reply.outcome.challenge = challenge.id
    return reply
  }

  func checkAchievementChallenge(
    _ operation: CheckAchievementChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> CheckAchievementChallenge.Reply {
    try Stop.check(operation.fault)
    var reply = CheckAchievementChallenge.Reply()
    reply.refusal = try refusal(
      of: operation.receiver, try rule(operation.achievement, call), call, transaction)
    return reply
  }

  func answerAchievementChallenge(
    _ operation: AnswerAchievementChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    let received = receivedAchievementChallenges(of: call.player, call.game)
    guard
      var challenge = received.first(where: { $0.id == operation.challenge }),
      !challenge.isOver(at: transaction.now),
      let state = challenge.state.after(operation.accept ? .accept : .decline)
    else {
      throw .refuse(
        .notFound, argument: "challenge",
        "You have no open achievement challenge of that id; it may have ended.")
    }
    if state == challenge.state { return Empty() }
    challenge.state = state
    if operation.accept {
      putReceived(challenge, call.game, &transaction)
    } else {
      removeReceived(challenge, call.game, &transaction)
      tell(ChallengeDeclined(challenge), challenge.issuer, call.game, &transaction)
    }
    tellIssuersList(challenge, call.game, &transaction)
    return Empty()
  }

  /// Ends the player's open challenges to earn what a report completes. The player's key does one
  /// thing at a time, so all of them were issued before the report.
  ///
  /// - Parameter eligible: nil makes every challenge eligible.
  func completeChallenges(
    _ earned: Set<String>, _ call: Call, eligible: Set<ChallengeID>?,
    _ transaction: inout Transaction
  ) -> [ChallengeID] {
    let now = transaction.now
    let met = receivedAchievementChallenges(of: call.player, call.game).filter {
      earned.contains($0.achievement) && !$0.isOver(at: now)
        && (eligible?.contains($0.id) ?? true)
    }
    for challenge in met {
      guard let state = challenge.state.after(.complete) else { continue }
      var event = ChallengeCompleted()
      event.challenge = challenge
      event.challenge.state = state
      event.challenge.completionDate = now
      removeReceived(event.challenge, call.game, &transaction)
      tellIssuersList(event.challenge, call.game, &transaction)
      event.isLocal = true
      tell(event, challenge.receiver, call.game, &transaction)
      event.isLocal = false
      tell(event, challenge.issuer, call.game, &transaction)
    }
    return met.map(\.id)
  }

  // MARK: Rules

  private func rule(_ name: String, _ call: Call) throws(Stop) -> AchievementRule {
    guard let rule = try achievementRules(call).first(where: { $0.achievement == name }) else {
      throw .refuse(
        .notFound, argument: "achievement", "The game has no achievement of that name.")
    }
    return rule
  }

  /// Why the receiver, whose key this is, gets no challenge of the caller's. What a receiver has is
  /// looked at for friends only.
  private func refusal(
    of receiver: PlayerID, _ rule: AchievementRule, _ call: Call, _ transaction: Transaction
  ) throws(Stop) -> ChallengeRefusal {
    if receiver == call.player { return .oneself }
    guard try call.fact(FetchFriends.self).friends.contains(receiver) else {
      return .notReachable
    }
    let progress = try progress(of: receiver, call, transaction)[rule.achievement]
    if rule.isHidden && progress == nil { return .hidden }
    if let progress, progress.isCompleted && !rule.isReplayable { return .alreadyEarned }
    let open = receivedAchievementChallenges(of: receiver, call.game)
    let isFull =
      open.count >= LeaderboardLimits.openChallengesPerReceiverMax
      || open.count { $0.issuer == call.player } >= LeaderboardLimits.openChallengesPerPairMax
    return isFull ? .limitReached : .none
  }
}

/// The list of received challenges, where it is more than a copy.
extension LeaderboardCore {
  func receivedAchievementChallenges(of player: PlayerID, _ game: String) -> [Challenge] {
    let key = ChallengeListKey(player: player, game: game)
    return challengeLists[key]?.received.filter { !$0.achievement.isEmpty } ?? []
  }

  func putReceived(_ challenge: Challenge, _ game: String, _ transaction: inout Transaction) {
    let key = ChallengeListKey(player: challenge.receiver, game: game)
    challengeLists[key, default: ChallengeLists()].put(challenge, of: challenge.receiver)
    var row = PlayerChallengeRow()
    row.key = PlayerChallengeKey(player: challenge.receiver, challenge: challenge.id)
    row.game = game
    row.challenge = challenge
    transaction.put(row)
  }

  func removeReceived(_ challenge: Challenge, _ game: String, _ transaction: inout Transaction) {
    let key = ChallengeListKey(player: challenge.receiver, game: game)
    challengeLists[key]?.remove(challenge, of: challenge.receiver)
    transaction.remove(
      PlayerChallengeRow.self,
      PlayerChallengeKey(player: challenge.receiver, challenge: challenge.id))
  }

  func tellIssuersList(_ challenge: Challenge, _ game: String, _ transaction: inout Transaction) {
    transaction.effect(
      ChallengeChanged(challenge, for: challenge.issuer), on: challenge.issuer, game: game)
  }

  func tell<E: Event>(
    _ event: E, _ player: PlayerID, _ game: String, _ transaction: inout Transaction
  ) {
    transaction.effect(AppendEvent(event, to: player), on: player, game: game)
  }
}
