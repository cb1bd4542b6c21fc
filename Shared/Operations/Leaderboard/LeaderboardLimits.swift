/// Sizes of the leaderboard domain, checked by the client first and by the server always.
public enum LeaderboardLimits {
  /// Letters, digits, `.`, `_` and `-`: what developers use as names of boards elsewhere.
  public static let boardNameBytesMax = 100
  public static let titleBytesMax = 200
  /// Entries in one answer.
  public static let entryCountMax = 100
  /// Players in the scope of one query; sorting them is the query's cost.
  public static let scopePlayerCountMax = 500
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
