public import Wire

/// Returns the achievements of the caller's game in the order in which they were declared. A player
/// sees a hidden one only after having reported it; the game's own server and operators see all.
///
/// Errors: `invalidArgument` (cursor, limit). Cost: O(achievements of the game).
public struct DescribeAchievements: Operation {
  public static let opcode = Opcode(.leaderboard, 0x41)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .game }
  public static var needs: [FactNeed] { [.fact(FetchReportedAchievements.self, at: .caller)] }
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
    public var definitions: [AchievementDefinition] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("definitions", &definitions)
      visit.field("cursor", &cursor)
    }
  }
}
