public import Wire

/// A player's entry, its rank among all and its percentile.
///
/// Errors: `requiredArgument` (board; player when the caller is not one), `invalidArgument`
/// (timeScope, occurrencesBack), `notFound` (board, occurrencesBack).
/// Cost: O(log n).
public struct RankOfPlayer: Operation {
  public static let opcode = Opcode(.leaderboard, 0x15)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var board = ""
  /// Nil stands for the caller.
  public var player: PlayerID?
  public var period = ScorePeriod()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("player", &player)
    visit.field("period", &period)
  }

  public struct Reply: Message {
    /// Nil for a player who has no score on the board.
    public var entry: LeaderboardEntry?
    public var total: UInt32 = 0
    /// Of the others, how many in a hundred have a strictly worse value; 100 for somebody alone on
    /// the board, 0 without an entry.
    public var percentile = 0.0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("entry", &entry)
      visit.field("total", &total)
      visit.field("percentile", &percentile)
    }
  }
}
