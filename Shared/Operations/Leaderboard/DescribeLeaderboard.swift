public import Wire

/// A board's definition and how many players are ranked on it.
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
    public var total: UInt32 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("definition", &definition)
      visit.field("total", &total)
    }
  }
}
