public import Wire

/// An operator or a game's server ranks a board anew by another rule: sort order, tie rule,
/// aggregation, or several of them. What is nil stays as it is.
///
/// The answer comes when it was accepted. The new ranking is then made beside the old one in steps,
/// between which everybody is served: queries answer by the old rule until the new ranking is whole,
/// and from then on by the new one; what is submitted, removed or banned meanwhile counts in both. A
/// process that dies begins again from the start. `DescribeLeaderboard` says how far it is. Windows
/// and every kept occurrence follow the new rule.
///
/// With an aggregation, entries are made anew from the kept attempts, and so they are when the sort
/// order of a board of best scores changes that keeps them forever; an attempt that was not kept
/// counts as far as the entry shows it. Where no attempts are kept a new sort order ranks the entries
/// that are there.
///
/// Open challenges are judged by the order that the board has when a score comes: after a change of
/// the sort order a value that would not have met one may meet it, and the other way round.
///
/// Errors: `requiredArgument` (board), `invalidArgument` (sortOrder, tieRule, aggregation), `notFound`
/// (board), `conflict` (board, when another re-rank is under way; aggregation, on a board that keeps
/// no attempts or not forever, or that recurs). Cost: one row; then steps of bounded size, and until
/// the end 25 bytes for each entry, or where entries are made anew as much memory again and a row.
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
    /// The one that is under way; nil when the board is ranked by these rules already.
    public var reRank: ReRankProgress?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("reRank", &reRank)
    }
  }

  /// The first rule that the call breaks by itself.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    if let sortOrder, !sortOrder.isKnown { return .unknownTerm("sortOrder", sortOrder) }
    if let tieRule, !tieRule.isKnown { return .unknownTerm("tieRule", tieRule) }
    if let aggregation, !aggregation.isKnown { return .unknownTerm("aggregation", aggregation) }
    return nil
  }
}

/// A re-rank of a board, under way or the last one.
public struct ReRankProgress: Message, Hashable {
  /// Of the board's re-ranks, from 1.
  public var number: UInt32 = 0
  public var sortOrder = ScoreOrder()
  public var tieRule = ScoreTieRule()
  public var aggregation = ScoreAggregation()
  /// Milliseconds since 1970.
  public var startDate: Int64 = 0
  /// When the new ranking took the old one's place; nil while it is being made.
  public var endDate: Int64?
  /// While it is being made: how many entries the new ranking has, and how many the old one.
  public var rankedCount: UInt64 = 0
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
