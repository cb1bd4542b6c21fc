public import Wire

/// Returns the achievements of this game that the caller has reported, the last reported first.
///
/// Errors: `invalidArgument` (cursor, limit). Cost: one read of the player's achievements in the
/// game.
public struct ListAchievements: Operation {
  public static let opcode = Opcode(.leaderboard, 0x43)
  public static var isReadOnly: Bool { true }
  /// Empty for the first page.
  public var cursor = ""
  public var limit: UInt32 = 50
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public var fault: Failure? { AchievementLimits.fault(limit: limit) }

  public struct Reply: Message {
    public var achievements: [AchievementProgress] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("achievements", &achievements)
      visit.field("cursor", &cursor)
    }
  }
}

/// A player's progress towards an achievement.
public struct AchievementProgress: Message, Hashable {
  public var achievement = ""
  /// From 0 to 100.
  public var percentComplete: Double = 0
  /// When it was last reported, in milliseconds since 1970 by the server's clock.
  public var lastReportedDate: Int64 = 0
  /// When it was first completed, in milliseconds since 1970; nil before that.
  public var completionDate: Int64?
  public var showsCompletionBanner = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("achievement", &achievement)
    visit.field("percentComplete", &percentComplete)
    visit.field("lastReportedDate", &lastReportedDate)
    visit.field("completionDate", &completionDate)
    visit.field("showsCompletionBanner", &showsCompletionBanner)
  }

  public var isCompleted: Bool { percentComplete == 100 }
}
