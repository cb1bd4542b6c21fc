public import Wire

/// Sent by an operator or a game's server: removes a player's score.
///
/// Without `fallsBack`, nothing that the player did on the board so far counts any more. With it,
/// only the attempt that the entry shows is removed for good. On a board of best scores the next
/// best of the kept attempts takes its place, on a board of latest scores the one before it, and a
/// sum loses its value. On a recurring board all of this is about the occurrence that is open or
/// was open last. Without `fallsBack` it also removes a quarantined score of an earlier occurrence.
///
/// Removed attempts leave the store in steps after the reply. The challenges that depended on the
/// score are mended in steps too, and both players are told of each. A challenge that the score had
/// completed is open again. It has expired instead if its date has passed, and is withdrawn if the
/// receiver has as many open challenges as allowed or if the score to meet was removed too. Open
/// challenges that were issued with the score, by the player or issued back, are withdrawn. With
/// `fallsBack`, one stays open if the entry that takes the score's place meets it as well. It does
/// not matter whether the players are still friends, or still in the context of a linked board.
/// Challenges that were completed `completed-challenge-days` (90 unless set) days ago or earlier
/// stay completed. Other attempts are not searched for one that would have met a challenge: it can
/// be met again.
///
/// Errors: `requiredArgument` (board), `notFound` (board, player), `conflict` (fallsBack, on a
/// board that keeps no attempts, or that does not keep the attempt any more that a sum would lose).
/// Cost: O(log n), two rows, and up to two more while a re-rank rebuilds entries. Falling back
/// reads the player's newest attempts, up to `LeaderboardLimits.fallbackAttemptsMax`. Windows
/// follow in steps, for which their queries wait: see `ScorePeriod`.
public struct RemoveScore: Operation {
  public static let opcode = Opcode(.leaderboard, 0x17)
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .firstName }
  public var board = ""
  public var player = PlayerID()
  public var fallsBack = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("player", &player)
    visit.field("fallsBack", &fallsBack)
  }

  public struct Reply: Message {
    /// The player's entry after falling back; nil when the player has none any more.
    public var entry: LeaderboardEntry?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("entry", &entry)
    }
  }
}
