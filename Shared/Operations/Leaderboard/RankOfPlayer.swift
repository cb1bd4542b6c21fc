public import Wire

/// A player's entry and rank among all; `100 * (total - rank) / total` is the percentile.
///
/// Errors: `requiredArgument` (board; player when the caller is not one), `notFound` (board).
/// Cost: O(log n).
public struct RankOfPlayer: Operation {
  public static let opcode = Opcode(.leaderboard, 0x15)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var board = ""
  /// Nil stands for the caller.
  public var player: PlayerID?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("player", &player)
  }

  public struct Reply: Message {
    /// Nil for a player who has no score on the board.
    public var entry: LeaderboardEntry?
    public var total: UInt32 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("entry", &entry)
      visit.field("total", &total)
    }
  }
}
