public import Wire

/// Returns the caller's friends with a value strictly worse than the caller's ("lesser mortals"),
/// in the order of the board. On a board where low values come first, a worse value is a greater
/// one. An equal value is not worse. `start` and `count` count these friends alone; their ranks are
/// those among the caller and all friends.
///
/// For a caller without an entry the page is empty, which is no error.
///
/// Errors: `requiredArgument` (board), `invalidArgument` (start, count, timeScope,
/// occurrencesBack), `notFound` (board, occurrencesBack), `backpressure` (timeScope).
/// Cost: O(f log f) for f friends.
public struct LesserScores: Operation {
  public static let opcode = Opcode(.leaderboard, 0x19)
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
