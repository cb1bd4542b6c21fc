import LeaderboardCore
import Operations
import TestKit
import Wire

/// Calls about achievements, with the facts that a gateway would fetch.
extension World {
  @discardableResult
  func defineAchievement(
    _ name: String, _ change: (inout AchievementDefinition) -> Void = { _ in }
  ) throws -> DefinitionChange {
    var operation = DefineAchievement()
    operation.definition.achievement = name
    change(&operation.definition)
    return try driver.call(operation, as: PlayerID(), kind: .gameServer).change
  }

  /// What a gateway attaches to a call of the player.
  func facts(of player: PlayerID, friends: [PlayerID] = [], blocking: [PlayerID] = []) throws
    -> Facts
  {
    var facts = Self.friends(friends, of: player, blocking: blocking)
    let rules = FetchAchievementRules(of: driver.game)
    let reported = FetchReportedAchievements(of: player)
    facts.all += [
      Fact(
        FetchAchievementRules.self, at: rules.key,
        try driver.call(rules, as: player, kind: .service)),
      Fact(
        FetchReportedAchievements.self, at: player,
        try driver.call(reported, as: player, kind: .service)),
    ]
    return facts
  }

  @discardableResult
  func report(
    _ reports: [(String, Double)], as player: PlayerID, eligible: [ChallengeID]? = nil,
    key: IdempotencyKey? = nil
  ) throws -> ReportAchievements.Reply {
    var operation = ReportAchievements()
    operation.reports = reports.map { name, percent in
      var report = AchievementReport()
      report.achievement = name
      report.percentComplete = percent
      return report
    }
    if let eligible {
      operation.eligibility = .listed
      operation.eligibleChallenges = eligible
    }
    return try driver.call(
      operation, as: player, facts: try facts(of: player), idempotency: key)
  }

  /// The whole list, page by page.
  func achievements(of player: PlayerID, limit: UInt32 = 50) throws -> [AchievementProgress] {
    var all: [AchievementProgress] = []
    var operation = ListAchievements()
    operation.limit = limit
    repeat {
      let reply = try driver.call(operation, as: player)
      all += reply.achievements
      operation.cursor = reply.cursor
    } while !operation.cursor.isEmpty
    return all
  }

  /// What a player is told of the game's achievements, page by page.
  func described(
    to player: PlayerID, kind: PrincipalKind = .player, limit: UInt32 = 50
  ) throws -> [AchievementDefinition] {
    var all: [AchievementDefinition] = []
    var operation = DescribeAchievements()
    operation.limit = limit
    repeat {
      let reply = try driver.call(
        operation, as: player, facts: try facts(of: player), kind: kind)
      all += reply.definitions
      operation.cursor = reply.cursor
    } while !operation.cursor.isEmpty
    return all
  }

  func challenge(
    _ receiver: PlayerID, to achievement: String, as issuer: PlayerID,
    friends: [PlayerID]? = nil, blocking: [PlayerID] = [], message: String = "now you",
    lifetime: UInt64? = nil,
    key: IdempotencyKey? = nil
  ) throws -> ChallengeOutcome {
    var operation = IssueAchievementChallenge()
    operation.receiver = receiver
    operation.achievement = achievement
    operation.message = message
    operation.lifetimeMilliseconds = lifetime
    return try driver.call(
      operation, as: issuer,
      facts: try facts(of: issuer, friends: friends ?? [receiver], blocking: blocking),
      idempotency: key
    ).outcome
  }

  func answer(_ challenge: ChallengeID, accept: Bool, as player: PlayerID) throws {
    var operation = AnswerAchievementChallenge()
    operation.challenge = challenge
    operation.accept = accept
    try driver.call(operation, as: player)
  }
}
