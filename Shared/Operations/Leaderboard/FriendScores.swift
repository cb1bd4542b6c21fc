public import Wire

/// Returns a part of a board's ranking among the caller and the caller's friends.
///
/// Errors: `requiredArgument` (board), `invalidArgument` (start, count, timeScope,
/// occurrencesBack), `notFound` (board, occurrencesBack), `backpressure` (timeScope).
/// Cost: O(f log f) for f friends.
public struct FriendScores: Operation {
  public static let opcode = Opcode(.leaderboard, 0x16)
  public typealias Reply = ScorePage
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public static var needs: [FactNeed] { [.fact(FetchFriends.self, at: .caller)] }
  public var board = ""
  public var start: UInt32 = 1
  public var count: UInt32 = 10
  public var period = ScorePeriod()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("start", &start)
    visit.field("count", &count)
    visit.field("period", &period)
  }

  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    return ScoreRange.fault(start: start, count: count)
  }
}
