public import Wire

/// Sent by an operator or a game's server: ranks a board anew by other rules: sort order, tie rule,
/// aggregation, or several of them. A rule that is nil stays as it is.
///
/// The reply comes when the re-rank was accepted. The new ranking is then made beside the old one
/// in steps, between which other calls are served. Queries answer by the old rules until the new
/// ranking is complete, and by the new rules from then on. Scores, removals and bans of the time
/// between count in both. A process that dies begins again from the start. `DescribeLeaderboard`
/// returns the progress. Windows and every kept occurrence follow the new rules.
///
/// For a new aggregation, entries are made anew from the kept attempts, each occurrence's from its
/// own. So they are for a new sort order on a board of best scores. An attempt that is not kept
/// counts only if the entry shows it. On a board that keeps no attempts, a new sort order ranks the
/// existing entries.
///
/// An open challenge is judged by the sort order that the board has when a score comes. So after a
/// change of the sort order, a value may meet a challenge that it would not have met before, and
/// the other way round. Open challenges outlast a new aggregation too. On a board that becomes one
/// of sums, all kept attempts are in the receiver's sum, also those from before the challenge. If
/// the sum meets the challenge already, the receiver's next score completes it.
///
/// Errors: `requiredArgument` (board), `invalidArgument` (sortOrder, tieRule, aggregation),
/// `notFound` (board), `conflict` (board, when another re-rank is under way; aggregation, on a
/// board that does not keep attempts forever). Cost: one row, then steps of bounded size. Until the
/// end it takes 25 bytes of memory for each entry; if entries are made anew, as much memory as the
/// board again, and a row for each entry.
public struct ReRankLeaderboard: Operation {
  public static let opcode = Opcode(.leaderboard, 0x1F)
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .firstName }
  public var board = ""
  public var sortOrder: ScoreOrder?
  public var tieRule: ScoreTieRule?
  public var aggregation: ScoreAggregation?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("sortOrder", &sortOrder)
    visit.field("tieRule", &tieRule)
    visit.field("aggregation", &aggregation)
  }

  public struct Reply: Message {
    /// The re-rank that is under way; nil when the board is ranked by these rules already.
    public var reRank: ReRankProgress?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("reRank", &reRank)
    }
  }

  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    if let sortOrder, !sortOrder.isKnown { return .unknownTerm("sortOrder", sortOrder) }
    if let tieRule, !tieRule.isKnown { return .unknownTerm("tieRule", tieRule) }
    if let aggregation, !aggregation.isKnown { return .unknownTerm("aggregation", aggregation) }
    return nil
  }
}

/// How far a re-rank of a board has come.
public struct ReRankProgress: Message, Hashable {
  /// The number of the re-rank on its board, from 1.
  public var number: UInt32 = 0
  public var sortOrder = ScoreOrder()
  public var tieRule = ScoreTieRule()
  public var aggregation = ScoreAggregation()
  /// When it began, in milliseconds since 1970.
  public var startDate: Int64 = 0
  /// When the new ranking took the place of the old one; nil while the new one is being made.
  public var endDate: Int64?
  /// How many entries the new ranking has so far.
  public var rankedCount: UInt64 = 0
  /// How many entries the old ranking has.
  public var entryCount: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &number)
    visit.field("sortOrder", &sortOrder)
    visit.field("tieRule", &tieRule)
    visit.field("aggregation", &aggregation)
    visit.field("startDate", &startDate)
    visit.field("endDate", &endDate)
    visit.field("rankedCount", &rankedCount)
    visit.field("entryCount", &entryCount)
  }
}
