internal import MusterKit

/// A challenge to earn an achievement.
public final class GKAchievementChallenge: GKChallenge {
  /// The achievement to earn, with the issuer's progress, which is complete.
  public lazy var achievement: GKAchievement? = {
    let achievement = GKAchievement(identifier: challenge.achievement, player: issuingPlayer)
    achievement.percentComplete = 100
    return achievement
  }()
  /// The name of the achievement to earn.
  public var achievementIdentifier: String { challenge.achievement }
}
