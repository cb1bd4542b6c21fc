/// A score to report for one board, with the challenges that it may complete.
@preconcurrency @MainActor
public final class GKLeaderboardScore {
  /// The player whose score it is; nobody reports another's.
  public var player: GKPlayer = GKLocalPlayer.local
  public var value = 0
  /// A number of the game's own, which is kept with the score.
  public var context = 0
  public var leaderboardID = ""

  public init() {}
}
