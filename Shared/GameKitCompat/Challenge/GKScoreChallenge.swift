internal import MusterKit

/// A challenge to meet a score.
public final class GKScoreChallenge: GKChallenge {
  /// The score to meet, with the player whose score it is.
  public lazy var score: GKScore? = GKScore(target: challenge, issuer: issuingPlayer)
  /// The same as a board's entry.
  public lazy var leaderboardEntry: GKLeaderboard.Entry? = GKLeaderboard.Entry(
    target: challenge, issuer: issuingPlayer)
}
