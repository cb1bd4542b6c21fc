public import Wire

/// Sent by a player: reports progress towards achievements. Either every report of the call is
/// taken or none is. Progress never goes down; a lower value only changes the date. A report of
/// exactly 100 completes the achievement, and with it the player's open challenges to earn it.
///
/// Errors: `requiredArgument` (reports, achievement), `invalidArgument` (percentComplete when it is
/// not a number from 0 to 100; reports; eligibility; eligibleChallenges), `notFound` (achievement).
/// Cost: one read of the player's achievements in the game, a row for each one reported; per
/// completed challenge one row and three effects.
public struct ReportAchievements: Operation {
  public static let opcode = Opcode(.leaderboard, 0x42)
  public static var needs: [FactNeed] { [.fact(FetchAchievementRules.self, at: .game)] }
  /// Two reports of one achievement are taken one after the other.
  public var reports: [AchievementReport] = []
  public var eligibility = ChallengeEligibility()
  /// For `listed`: the only challenges that the call may complete. An empty list completes none.
  public var eligibleChallenges: [ChallengeID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("reports", &reports)
    visit.field("eligibility", &eligibility)
    visit.field("eligibleChallenges", &eligibleChallenges)
  }

  public struct Reply: Message {
    /// The progress after each report, in the order of the call.
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
  /// From 0 to 100, both inclusive. The achievement is completed at exactly 100.
  public var percentComplete: Double = 0
  /// Whether the game should show a banner; the server only keeps it.
  public var showsCompletionBanner = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("achievement", &achievement)
    visit.field("percentComplete", &percentComplete)
    visit.field("showsCompletionBanner", &showsCompletionBanner)
  }

  /// The first rule that the report breaks, as far as the report alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if let fault = AchievementName.fault(of: achievement) { return fault }
    // "Not a number" fails this comparison too.
    guard percentComplete >= 0 && percentComplete <= 100 else {
      return Failure(
        .invalidArgument, argument: "percentComplete",
        "The progress of an achievement is a number from 0 to 100.")
    }
    return nil
  }
}

extension ReportAchievements {
  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
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
