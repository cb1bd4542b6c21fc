public import Wire

/// An operator or a game's server keeps a player's score out of a board's ranking, or the player out
/// of the board, or takes that back. Asking for what is already so changes nothing.
///
/// A quarantined score is kept but not ranked; scores that the player submits meanwhile are. Releasing
/// it makes one entry of both, by the board's aggregation. A ban also quarantines the score, and
/// refuses new ones; lifting it releases the score. On a recurring board all of this is about the
/// occurrence that is open or was open last; a score in quarantine of an earlier one makes room.
///
/// When the board was ranked anew meanwhile so that entries were made anew, a released score is counted
/// anew from the player's newest attempts, up to `LeaderboardLimits.fallbackAttemptsMax` (4096): what a
/// player with more than that scored before them is lost to the entry. Release such a player first.
///
/// Challenges that the score completed stay completed, and those issued with it stay open: a
/// quarantine may end, and nobody should be told the contrary twice. Removing the score puts them right.
///
/// Errors: `requiredArgument` (board), `invalidArgument` (restriction), `notFound` (board; player, when
/// there is no score to quarantine or to release). Cost: O(log n), two rows; with windows it looks
/// through the board's last 7 days in memory.
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

/// What is done about a player on a board.
public struct PlayerRestriction: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let quarantine = Self(rawValue: 0)
  public static let release = Self(rawValue: 1)
  public static let ban = Self(rawValue: 2)
  public static let unban = Self(rawValue: 3)

  public static let names = ["quarantine", "release", "ban", "unban"]
}
