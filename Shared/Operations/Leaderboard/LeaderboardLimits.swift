/// The limits of the leaderboard service. Clients may check them first; the server always does.
public enum LeaderboardLimits {
  /// Bytes of a board's name.
  public static let boardNameBytesMax = 100
  public static let titleBytesMax = 200
  /// Boards in one page of a game's boards: with names and titles about 30 KB.
  public static let boardPageMax = 100
  /// Entries in one answer.
  public static let entryCountMax = 100
  /// Players in the scope of one query, which sorts them.
  public static let scopePlayerCountMax = 500
  /// Attempts that a removal looks at to fall back: the player's newest.
  public static let fallbackAttemptsMax = 4096
  public static let attemptDaysMax: UInt32 = 3650
  public static let historyDaysMax: UInt32 = 3650
  /// The last second of the year 9999 since 1970; calendars know every time up to it.
  public static let secondsMax: Int64 = 253_402_300_799
  /// Units of the calendar in a recurrence's duration or interval; even a thousand months stay far
  /// below `secondsMax`.
  public static let recurrenceUnitsMax: Int64 = 1000
  public static let zoneBytesMax = 64
  /// Older occurrences that stay readable: the entries of each are in memory.
  public static let olderOccurrencesMax: UInt32 = 100
  /// Scores of a rate limit: the times of so many scores of each player are in memory.
  public static let rateCountMax: UInt32 = 100
  public static let rateSecondsMax: UInt32 = 7 * 24 * 3600
  public static let runSecondsMax: UInt32 = 24 * 3600
  /// Tickets of one player on one board, used ones included; a further one replaces the oldest.
  public static let ticketsPerPlayerMax = 16
  /// Receivers of one call that issues challenges; each makes one row and three effects.
  public static let challengeReceiverCountMax = 50
  public static let challengeMessageBytesMax = 500
  /// Open challenges of one receiver on one board, and as many to earn achievements in one game.
  /// One report may complete them all.
  public static let openChallengesPerReceiverMax = 100
  /// Open challenges from one issuer among them, so that one friend cannot use up the room of all.
  public static let openChallengesPerPairMax = 10
  /// Ended challenges that stay readable in an issuer's list: those that ended last.
  public static let endedChallengesKeptMax = 100
  /// The longest lifetime of a challenge: ten years. A later date is as good as none, and adding
  /// ten years to any date cannot overflow.
  public static let challengeLifetimeMillisecondsMax: UInt64 = 3650 * 24 * 3600 * 1000
  /// Challenges in one page of a list.
  public static let challengePageMax = 100
}
