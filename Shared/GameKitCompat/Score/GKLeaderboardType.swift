extension GKLeaderboard {
  /// Whether a board starts anew.
  public enum LeaderboardType: Int, Sendable {
    /// One ranking of all time.
    case classic = 0
    /// A ranking for each occurrence.
    case recurring = 1
  }
}

/// The name that GameKit's headers have for `GKLeaderboard.LeaderboardType`.
public typealias GKLeaderboardType = GKLeaderboard.LeaderboardType
