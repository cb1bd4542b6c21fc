internal import MusterKit

extension GKLeaderboard {
  /// How far back attempts count. A board that starts anew has its occurrences in place of it.
  public enum TimeScope: Int, Sendable {
    /// The last 24 hours. The server refuses it on a board that keeps no windows.
    case today = 0
    /// The last 7 days. The server refuses it on a board that keeps no windows.
    case week = 1
    case allTime = 2

    var term: ScoreTimeScope {
      switch self {
      case .today: .today
      case .week: .week
      case .allTime: .allTime
      }
    }
  }
}

/// The name that older games have for `GKLeaderboard.TimeScope`.
public typealias GKLeaderboardTimeScope = GKLeaderboard.TimeScope
