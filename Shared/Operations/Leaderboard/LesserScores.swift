public import Wire

/// Lesser mortals: those of the caller's friends whose value is strictly worse than the caller's, in
/// board order; on a board where low values come first, those with a greater one. Equal is not
/// lesser. The page counts among them; ranks are those among the caller and all friends.
///
/// A caller without an entry is better than nobody: no entries, no error.
///
/// Errors: `requiredArgument` (board), `invalidArgument` (start, count, timeScope, occurrencesBack),
/// `notFound` (board, occurrencesBack). Cost: O(f log f) for f friends.
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

  /// The first rule that the call breaks by itself.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    return ScoreRange.fault(start: start, count: count)
  }
}
