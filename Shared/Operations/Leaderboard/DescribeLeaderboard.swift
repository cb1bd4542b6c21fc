public import Wire

/// Returns a board's definition, and how many players are ranked on it.
///
/// Errors: `requiredArgument` (board), `notFound` (board). Cost: constant.
public struct DescribeLeaderboard: Operation {
  public static let opcode = Opcode(.leaderboard, 0x11)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var board = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
  }

  public struct Reply: Message {
    public var definition = LeaderboardDefinition()
    /// How many players are ranked; on a recurring board, in the occurrence that was open last.
    public var total: UInt32 = 0
    /// The occurrence that is open or, in a gap, was open last; nil before the first one and on a
    /// board that does not recur.
    public var current: Occurrence?
    public var previous: Occurrence?
    /// The re-rank that is under way, or the last one; nil on a board that was never re-ranked.
    public var reRank: ReRankProgress?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("definition", &definition)
      visit.field("total", &total)
      visit.field("current", &current)
      visit.field("previous", &previous)
      visit.field("reRank", &reRank)
    }
  }
}
