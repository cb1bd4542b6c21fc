/// Sizes of the leaderboard domain, checked by the client first and by the server always.
public enum LeaderboardLimits {
  /// Letters, digits, `.`, `_` and `-`: what developers use as names of boards elsewhere.
  public static let boardNameBytesMax = 100
  public static let titleBytesMax = 200
  /// Entries in one answer.
  public static let entryCountMax = 100
  /// Players in the scope of one query; sorting them is the query's cost.
  public static let scopePlayerCountMax = 500
  /// Attempts that removing one looks at, the player's newest.
  public static let fallbackAttemptsMax = 4096
  public static let attemptDaysMax: UInt32 = 3650
  public static let historyDaysMax: UInt32 = 3650
  /// The end of the year 9999, up to which every time is one that calendars know.
  public static let secondsMax: Int64 = 253_402_300_799
  /// A thousand units of the calendar, also months, stay far below it.
  public static let recurrenceUnitsMax: Int64 = 1000
  public static let zoneBytesMax = 64
  /// Every kept occurrence has its entries in memory.
  public static let olderOccurrencesMax: UInt32 = 100
  /// The times of so many scores of a player are in memory.
  public static let rateCountMax: UInt32 = 100
  public static let rateSecondsMax: UInt32 = 7 * 24 * 3600
  public static let runSecondsMax: UInt32 = 24 * 3600
  /// Tickets of one player on one board, used ones too; a new one replaces the oldest.
  public static let ticketsPerPlayerMax = 16
  /// Receivers of one call that issues challenges; each makes one row and three effects.
  public static let challengeReceiverCountMax = 50
  public static let challengeMessageBytesMax = 500
  /// Open challenges of one receiver on one board, and to earn achievements in one game: all may be
  /// completed by one report.
  public static let openChallengesPerReceiverMax = 100
  /// Of those, from one issuer, so that one friend cannot use up the room of all.
  public static let openChallengesPerPairMax = 10
  /// Ended challenges that stay readable in an issuer's list, the newest ones.
  public static let endedChallengesKeptMax = 100
  /// Ten years: a date that far is as good as none, and adding it to any date is safe.
  public static let challengeLifetimeMillisecondsMax: UInt64 = 3650 * 24 * 3600 * 1000
  /// Challenges in one page of a list.
  public static let challengePageMax = 100
}
