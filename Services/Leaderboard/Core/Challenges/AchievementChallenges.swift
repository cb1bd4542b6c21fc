import Domain
import Operations
import Wire

/// Achievement challenges live at their receiver's key, in the list of received ones: it alone
/// decides what becomes of them. The issuer's list is a copy that effects bring up to date.
struct AchievementChallenges: CorePart {
  let lists: ChallengeLists
  let budgets: ChallengeBudgets
  let settings: SettingValues

  func register(_ router: inout Router) {
    router.on(IssueAchievementChallenge.self, issueAchievementChallenge)
    router.on(CheckAchievementChallenge.self, checkAchievementChallenge)
    router.on(AnswerAchievementChallenge.self, answerAchievementChallenge)
  }

  private func issueAchievementChallenge(
    _ operation: IssueAchievementChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> IssueAchievementChallenge.Reply {
    try settings.check(lifetimeMilliseconds: operation.lifetimeMilliseconds)
    let rule = try rule(operation.achievement, call)
    guard
      try call.fact(FetchReportedAchievements.self).achievements.contains(where: {
        $0.achievement == operation.achievement && $0.isCompleted
      })
    else {
      throw .notAllowed(
        "achievement",
        "You have not completed this achievement: earn it before you challenge others to.")
    }
    var reply = IssueAchievementChallenge.Reply()
    reply.outcome.receiver = operation.receiver
    reply.outcome.refusal = try refusal(of: operation.receiver, rule, call, transaction) {
      // The issuer's own list: who has ended the friendship challenges nobody from then on.
      () throws(Stop) in try call.fact(FetchFriends.self).friends.contains(operation.receiver)
    }
    guard reply.outcome.refusal == .none else { return reply }
    try budgets.take(1, of: call.player, at: call.key, &transaction)
    var challenge = Challenge(
      from: call.player, to: operation.receiver, lifetime: operation.lifetimeMilliseconds,
      settings, &transaction)
    challenge.achievement = operation.achievement
    challenge.message = operation.message.inNormalForm
    put(challenge, call.game, &transaction)
    transaction.setExpiry(of: challenge, at: call.key, game: call.game)
    transaction.tell(
      ChallengeReceived(challenge), to: challenge.receiver, about: challenge, in: call.game)
    reply.outcome.challenge = challenge.id
    return reply
  }

  private func checkAchievementChallenge(
    _ operation: CheckAchievementChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> CheckAchievementChallenge.Reply {
    var reply = CheckAchievementChallenge.Reply()
    let rule = try rule(operation.achievement, call)
    reply.refusal = try refusal(of: operation.receiver, rule, call, transaction) {
      () throws(Stop) in try call.fact(FetchPlayer.self, at: operation.receiver).isFriend
    }
    return reply
  }

  private func answerAchievementChallenge(
    _ operation: AnswerAchievementChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let received = lists.achievementChallenges(of: call.player, in: call.game)
    guard
      var challenge = received.first(where: { $0.id == operation.challenge }),
      !challenge.isOver(at: transaction.now),
      let state = challenge.state.after(operation.accept ? .accept : .decline)
    else {
      throw .notFound(
        "challenge", "You have no open achievement challenge of that id; it may have ended.")
    }
    if state == challenge.state { return }
    challenge.state = state
    if operation.accept {
      put(challenge, call.game, &transaction)
    } else {
      end(challenge, call.game, &transaction)
      transaction.tell(
        ChallengeDeclined(challenge), to: challenge.issuer, about: challenge, in: call.game)
    }
  }

  /// Ends the player's open challenges to earn what a report completes. The player's key does one
  /// thing at a time, so all of them were issued before the report.
  ///
  /// - Parameter eligible: nil makes every challenge eligible.
  func complete(
    _ earned: Set<String>, _ call: Call, eligible: Set<ChallengeID>?,
    _ transaction: inout Transaction
  ) -> [ChallengeID] {
    let now = transaction.now
    let met = lists.achievementChallenges(of: call.player, in: call.game).filter {
      earned.contains($0.achievement) && !$0.isOver(at: now)
        && (eligible?.contains($0.id) ?? true)
    }
    for challenge in met {
      guard let state = challenge.state.after(.complete) else { continue }
      var event = ChallengeCompleted()
      event.challenge = challenge
      event.challenge.state = state
      event.challenge.completionDate = now
      end(event.challenge, call.game, &transaction)
      transaction.tellBoth(event, in: call.game)
    }
    return met.map(\.id)
  }

  func expire(_ operation: ExpireChallenge, _ call: Call, _ transaction: inout Transaction) {
    let received = lists.achievementChallenges(of: operation.receiver, in: call.game)
    guard var challenge = received.first(where: { $0.id == operation.challenge }),
      let state = challenge.stateAfterExpiry(at: transaction.now)
    else { return }
    challenge.state = state
    end(challenge, call.game, &transaction)
    transaction.tellBoth(ChallengeExpired(challenge), of: challenge, in: call.game)
  }

  // MARK: Lists

  private func put(_ challenge: Challenge, _ game: String, _ transaction: inout Transaction) {
    lists.put(challenge, of: challenge.receiver, in: game, &transaction)
    tellIssuersList(challenge, game, &transaction)
  }

  private func end(_ challenge: Challenge, _ game: String, _ transaction: inout Transaction) {
    lists.remove(challenge, of: challenge.receiver, in: game, &transaction)
    transaction.cancelExpiry(of: challenge, at: RoutingKey(reinterpreting: challenge.receiver))
    tellIssuersList(challenge, game, &transaction)
  }

  private func tellIssuersList(
    _ challenge: Challenge, _ game: String, _ transaction: inout Transaction
  ) {
    transaction.effect(
      ChallengeChanged(challenge, for: challenge.issuer), on: challenge.issuer, game: game)
  }

  // MARK: Rules

  private func rule(_ name: String, _ call: Call) throws(Stop) -> AchievementRule {
    guard let rule = try call.achievementRules().first(where: { $0.achievement == name }) else {
      throw .notFound("achievement", "The game has no achievement of that name.")
    }
    return rule
  }

  /// Why the receiver, whose key this is, gets no challenge of the caller's. A receiver's progress
  /// is looked at for friends only.
  private func refusal(
    of receiver: PlayerID, _ rule: AchievementRule, _ call: Call, _ transaction: Transaction,
    isFriend: () throws(Stop) -> Bool
  ) throws(Stop) -> ChallengeRefusal {
    if receiver == call.player { return .oneself }
    guard try isFriend(),
      try call.fact(FetchPlayer.self, at: receiver).isReachable
    else { return .notReachable }
    let progress = try transaction.progress(of: receiver, game: call.game)[rule.achievement]
    if rule.isHidden && progress == nil { return .hidden }
    if let progress, progress.isCompleted && !rule.isReplayable { return .alreadyEarned }
    let open = lists.achievementChallenges(of: receiver, in: call.game)
    let isFull =
      open.count >= LeaderboardLimits.openChallengesPerReceiverMax
      || open.count { $0.issuer == call.player } >= LeaderboardLimits.openChallengesPerPairMax
    return isFull ? .limitReached : .none
  }
}
