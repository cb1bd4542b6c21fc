extension GKLeaderboard {
  /// The players whose entries are loaded.
  public enum PlayerScope: Int, Sendable {
    case global = 0
    /// The local player's friends, and the local player.
    case friendsOnly = 1
  }
}

/// The name that older games have for `GKLeaderboard.PlayerScope`.
public typealias GKLeaderboardPlayerScope = GKLeaderboard.PlayerScope
