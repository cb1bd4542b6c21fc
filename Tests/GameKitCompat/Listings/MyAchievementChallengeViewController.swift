import GameKitCompat

/// The game's own screen for a challenge, as the listings suppose it.
final class MyAchievementChallengeViewController: UIViewController {
  weak var delegate: (any MyAchievementChallengeViewControllerDelegate)?
  var achievement: GKAchievement?
  /// Whom the player has chosen, and the words that the player has left.
  var players: [String] = []
  var message = ""

  func close(issued: Bool) {
    delegate?.challengeViewController(self, wasDismissedWithChallenge: issued)
  }
}

@MainActor
protocol MyAchievementChallengeViewControllerDelegate: AnyObject {
  func challengeViewController(
    _ controller: MyAchievementChallengeViewController, wasDismissedWithChallenge issued: Bool)
}
