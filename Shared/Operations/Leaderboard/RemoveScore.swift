public import Wire

/// An operator or a game's server removes a player's score. What depended on it is put right in steps
/// after the answer: challenges that it had completed are open again (or expired, if their date has
/// passed, or withdrawn, if the receiver has as many as there may be, from this issuer or in all, or if
/// the score that it asks to meet was removed too), and open ones that were issued with it, by the player
/// or back by themselves, are withdrawn. Both players are told of each. A challenge is open again as one
/// that was never met would be: that a player has left the context of a linked board since, or that the
/// two are no friends any more, ends none. What was completed more than 90 days ago stays completed.
/// Whether another kept attempt would have met a challenge is not looked at: it can be met again.
///
/// Without falling back nothing that the player did on the board so far counts any more. Falling back
/// takes out one attempt, the one that the entry shows, for good: on a board of best scores the next
/// best of the kept attempts takes its place, on one of latest scores the one before, and a sum loses
/// its value. On a recurring board all of this is about the occurrence that is open or was open last.
///
/// Errors: `requiredArgument` (board), `notFound` (board, player), `conflict` (fallsBack, on a board
/// that keeps no attempts, or not any more the one that a sum would lose). Cost: O(log n), two rows; falling back reads the player's newest attempts,
/// up to `LeaderboardLimits.fallbackAttemptsMax`, and with windows looks through the board's last 7
/// days in memory.
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
    /// The player's entry after falling back; nil when there is none.
    public var entry: LeaderboardEntry?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("entry", &entry)
    }
  }
}
