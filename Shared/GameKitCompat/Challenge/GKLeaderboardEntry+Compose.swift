internal import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

extension GKLeaderboard.Entry {
  /// Returns a composer for a challenge to meet this entry's score.
  ///
  /// - Parameters:
  ///   - message: the words that the player may change.
  ///   - players: the players who are selected at first.
  ///   - completionHandler: called once, when the composer has appeared and the player has answered
  ///     or closed it; it takes the composer from the screen.
  @_disfavoredOverload
  public func challengeComposeController(
    withMessage message: String?, players: [GKPlayer]?,
    completion completionHandler: GKChallengeComposeHandler? = nil
  ) -> UIViewController {
    composer(message, players, completionHandler)
  }

  /// The same with the players' ids in the handler.
  public func challengeComposeController(
    withMessage message: String?, players: [GKPlayer]?,
    completionHandler: GKChallengeComposeCompletionBlock? = nil
  ) -> UIViewController {
    composer(message, players, ids: completionHandler)
  }
}

extension GKLeaderboard.Entry: ChallengeComposing {
  func composition(_ message: String?, _ players: [GKPlayer]) -> ChallengeComposition {
    let target = ScoreTarget(
      board: leaderboardID, value: Int64(score), tag: UInt64(truncatingIfNeeded: context),
      isAttempt: false)
    return target.composition(message, players)
  }
}
