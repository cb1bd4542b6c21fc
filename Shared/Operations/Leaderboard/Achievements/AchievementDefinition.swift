public import Wire

/// An achievement as its developer declares it, field by field as in the file for `muster apply`.
public struct AchievementDefinition: Message, Hashable {
  public var achievement = ""
  public var title = ""
  /// What a player reads before having completed it.
  public var descriptionBefore = ""
  /// What a player reads after having completed it.
  public var descriptionAfter = ""
  /// Whether players learn of it only once they have reported it.
  public var isHidden = false
  /// Whether it may be earned more than once; then a player who has it can be challenged to earn
  /// it.
  public var isReplayable = false
  public var points: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("achievement", &achievement)
    visit.field("title", &title)
    visit.field("descriptionBefore", &descriptionBefore)
    visit.field("descriptionAfter", &descriptionAfter)
    visit.field("isHidden", &isHidden)
    visit.field("isReplayable", &isReplayable)
    visit.field("points", &points)
  }
}

extension AchievementDefinition {
  /// The first rule that the definition breaks, as far as the definition alone shows it; nil when
  /// there is none.
  public var fault: Failure? {
    if let fault = AchievementName.fault(of: achievement) { return fault }
    guard title.utf8.count <= LeaderboardLimits.titleBytesMax else {
      return Failure(
        .invalidArgument, argument: "title",
        "A title has at most \(LeaderboardLimits.titleBytesMax) bytes.")
    }
    let max = AchievementLimits.descriptionBytesMax
    for (argument, text) in [
      ("descriptionBefore", descriptionBefore), ("descriptionAfter", descriptionAfter),
    ] where text.utf8.count > max {
      return Failure(
        .invalidArgument, argument: argument, "A description has at most \(max) bytes.")
    }
    guard points <= AchievementLimits.pointsMax else {
      return Failure(
        .invalidArgument, argument: "points",
        "An achievement has at most \(AchievementLimits.pointsMax) points.")
    }
    return nil
  }

  public var rule: AchievementRule {
    var rule = AchievementRule()
    rule.achievement = achievement
    rule.isHidden = isHidden
    rule.isReplayable = isReplayable
    return rule
  }
}

/// The rules for an achievement's name, which are those for a board's name.
public enum AchievementName {
  public static func fault(of name: String) -> Failure? {
    guard !name.isEmpty else {
      return Failure(
        .requiredArgument, argument: "achievement", "The achievement's name is missing.")
    }
    let isValid =
      name.utf8.count <= LeaderboardLimits.boardNameBytesMax
      && name.utf8.allSatisfy(LeaderboardName.isAllowed)
    return isValid
      ? nil
      : Failure(
        .invalidArgument, argument: "achievement",
        "An achievement's name has 1 to \(LeaderboardLimits.boardNameBytesMax) letters (a to z, "
          + "A to Z), digits, dots, underscores or hyphens.")
  }
}

/// Sizes of achievements, checked by the client first and by the server always.
public enum AchievementLimits {
  /// Achievements in one game. A call about a player's achievements reads as many rows, and the
  /// rules of all of them travel with a report: 100 with names of 20 bytes are 3 KB.
  public static let perGameMax = 100
  public static let descriptionBytesMax = 500
  /// Points of one achievement; the limit is that of other platforms.
  public static let pointsMax: UInt32 = 100
  /// Achievements in one page of a list.
  public static let pageMax = 100

  static func fault(limit: UInt32) -> Failure? {
    guard limit >= 1, limit <= pageMax else {
      return Failure(
        .invalidArgument, argument: "limit", "A page has 1 to \(pageMax) achievements.")
    }
    return nil
  }
}
