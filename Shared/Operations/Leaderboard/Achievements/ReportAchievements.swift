public import Wire

/// A player reports progress: all of it is taken, or nothing. Progress never goes down; a lower value
/// only moves the date. A report of exactly 100 completes the achievement, and with it the player's
/// open challenges to earn it.
///
/// Errors: `requiredArgument` (reports, achievement), `invalidArgument` (percentComplete when it is
/// not a number from 0 to 100; reports; eligibility; eligibleChallenges), `notFound` (achievement).
/// Cost: one read of the player's achievements in the game, a row for each one reported; per
/// completed challenge one row and three effects.
public struct ReportAchievements: Operation {
  public static let opcode = Opcode(.leaderboard, 0x42)
  public static var needs: [FactNeed] { [.fact(FetchAchievementRules.self, at: .game)] }
  /// One that is named twice is taken twice, in order.
  public var reports: [AchievementReport] = []
  public var eligibility = ChallengeEligibility()
  /// For `listed`: the only challenges that the report may complete; none completes none.
  public var eligibleChallenges: [ChallengeID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("reports", &reports)
    visit.field("eligibility", &eligibility)
    visit.field("eligibleChallenges", &eligibleChallenges)
  }

  public struct Reply: Message {
    /// What was reported, as it is afterwards, in the order of the call.
    public var achievements: [AchievementProgress] = []
    public var completedChallenges: [ChallengeID] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("achievements", &achievements)
      visit.field("completedChallenges", &completedChallenges)
    }
  }
}

/// Progress towards one achievement.
public struct AchievementReport: Message, Hashable {
  public var achievement = ""
  /// From 0 to 100, both inclusive; completed at 100 and at nothing less.
  public var percentComplete: Double = 0
  /// Kept for the game, which shows the banner or does not.
  public var showsCompletionBanner = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("achievement", &achievement)
    visit.field("percentComplete", &percentComplete)
    visit.field("showsCompletionBanner", &showsCompletionBanner)
  }

  /// The first rule that the report breaks by itself.
  public var fault: Failure? {
    if let fault = AchievementName.fault(of: achievement) { return fault }
    // False for what is not a number, too.
    guard percentComplete >= 0 && percentComplete <= 100 else {
      return Failure(
        .invalidArgument, argument: "percentComplete",
        "The progress of an achievement is a number from 0 to 100.")
    }
    return nil
  }
}

extension ReportAchievements {
  /// The first rule that the call breaks by itself.
  public var fault: Failure? {
    guard !reports.isEmpty else {
      return Failure(.requiredArgument, argument: "reports", "Nothing is reported.")
    }
    guard reports.count <= AchievementLimits.perGameMax else {
      return Failure(
        .invalidArgument, argument: "reports",
        "A call reports at most \(AchievementLimits.perGameMax) achievements.")
    }
    for report in reports {
      if let fault = report.fault { return fault }
    }
    return eligibility.fault(listing: eligibleChallenges)
  }
}
