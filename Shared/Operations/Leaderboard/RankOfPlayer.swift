public import Wire

/// Returns a player's entry, its rank among all players and its percentile: now, or, on a board
/// with a history (`historyDays`), as of a past date.
///
/// A past rank is the one that was shown at the date, after everything dated up to it. It counts a
/// score that was removed or quarantined later, and a player who was banned later. It does not
/// count a player who was banned at the date.
///
/// Errors: `requiredArgument` (board; player when the caller is not one), `invalidArgument`
/// (timeScope, occurrencesBack; date, in the future or on a board without a history), `notFound`
/// (board, occurrencesBack; a date before the board's history begins), `backpressure` (timeScope;
/// date, while more than 32,768 changes are still to be sorted).
///
/// Cost: O(log n). A past date costs two rounds of reads from the store besides, which do not grow
/// with the size of the board. With m changes since the date, they read the player's next change;
/// at most 512 changes right after the date, and as many that are not sorted yet (more while
/// sorting lags behind); and at most 14 runs in each of log8(m / 512) levels, each with one row of
/// 4 KiB for the rank and one for the percentile. `LeaderboardDefinition.historyDays` says what a
/// history costs.
public struct RankOfPlayer: Operation {
  public static let opcode = Opcode(.leaderboard, 0x15)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var board = ""
  /// Nil stands for the caller.
  public var player: PlayerID?
  public var period = ScorePeriod()
  /// The past date in milliseconds since 1970; nil for now.
  public var date: Int64?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("player", &player)
    visit.field("period", &period)
    visit.field("date", &date)
  }

  public struct Reply: Message {
    /// Nil for a player who has no score on the board.
    public var entry: LeaderboardEntry?
    public var total: UInt32 = 0
    /// How many of a hundred other players have a strictly worse value; 100 for a player alone on
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
