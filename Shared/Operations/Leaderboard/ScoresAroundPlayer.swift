public import Wire

/// Returns the entries around a player, who stands in the middle or as near to it as the ends of
/// the board allow. For a player without an entry the page is empty, which is no error.
///
/// Errors: `requiredArgument` (board; player when the caller is not one), `invalidArgument`
/// (count, timeScope, occurrencesBack), `notFound` (board, occurrencesBack), `backpressure`
/// (timeScope). Cost: O(log n + count).
public struct ScoresAroundPlayer: Operation {
  public static let opcode = Opcode(.leaderboard, 0x14)
  public typealias Reply = ScorePage
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var board = ""
  /// Nil stands for the caller.
  public var player: PlayerID?
  public var count: UInt32 = 11
  public var period = ScorePeriod()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("player", &player)
    visit.field("count", &count)
    visit.field("period", &period)
  }

  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    return ScoreRange.fault(count: count)
  }
}
