public import Wire

/// Sent by an operator or a game's server: keeps a player's score out of a board's ranking, or
/// keeps the player off the board, or takes that back. Asking for a restriction that holds already
/// changes nothing.
///
/// A quarantined score is kept but not ranked; scores that the player submits meanwhile are ranked.
/// Releasing it makes one entry of both, by the board's aggregation. A ban also quarantines the
/// score, and refuses new ones; lifting the ban releases the score. On a recurring board all of
/// this is about the occurrence that is open or was open last. A quarantined score of an earlier
/// occurrence makes room when a later one is quarantined, and is removed.
///
/// If a re-rank has made entries anew meanwhile, a released score is made anew too, from the
/// player's newest attempts, up to `LeaderboardLimits.fallbackAttemptsMax` (4096). Older attempts
/// of a player with more than that do not count in the entry then; release such a player before the
/// re-rank.
///
/// Challenges that the score completed stay completed, and those issued with it stay open: a
/// quarantine may end, and nobody should be told the contrary twice. Removing the score mends them.
/// On a board of sums a quarantined score still counts when somebody challenges the player: see
/// `ChallengeRefusal.alreadyMet`.
///
/// Errors: `requiredArgument` (board), `invalidArgument` (restriction), `notFound` (board; player,
/// when there is no such player, or no score to quarantine or to release). Cost: O(log n), two
/// rows, and up to two more while a re-rank rebuilds entries. What is released comes back into
/// windows in steps, for which their queries wait: see `ScorePeriod`.
public struct RestrictPlayer: Operation {
  public static let opcode = Opcode(.leaderboard, 0x1B)
  public typealias Reply = Empty
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .firstName }
  public var board = ""
  public var player = PlayerID()
  public var restriction = PlayerRestriction()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("player", &player)
    visit.field("restriction", &restriction)
  }
}

/// A restriction of a player on a board, or its end.
public struct PlayerRestriction: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let quarantine = Self(rawValue: 0)
  public static let release = Self(rawValue: 1)
  public static let ban = Self(rawValue: 2)
  public static let unban = Self(rawValue: 3)

  public static let names = ["quarantine", "release", "ban", "unban"]
}
