internal import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

extension GKAchievement {
  /// Returns a composer for a challenge to earn this achievement, which the local player must have
  /// completed.
  ///
  /// - Parameters:
  ///   - message: the words that the player may change.
  ///   - players: the players who are selected at first.
  ///   - completionHandler: called once, when the composer has appeared and the player has answered
  ///     or closed it; it takes the composer from the screen.
  @_disfavoredOverload
  public func challengeComposeController(
    withMessage message: String?, players: [GKPlayer],
    completion completionHandler: GKChallengeComposeHandler? = nil
  ) -> UIViewController {
    composer(message, players, completionHandler)
  }

  /// The same with the players' ids in the handler.
  public func challengeComposeController(
    withMessage message: String?, players: [GKPlayer],
    completionHandler: GKChallengeComposeCompletionBlock? = nil
  ) -> UIViewController {
    composer(message, players, ids: completionHandler)
  }

  /// The oldest form; what is no player's id is left out.
  public func challengeComposeController(
    withPlayers playerIDs: [String]?, message: String?,
    completionHandler: GKChallengeComposeCompletionBlock? = nil
  ) -> UIViewController? {
    composer(message, playerIDs?.compactMap(GKPlayer.init(id:)), ids: completionHandler)
  }

  @_disfavoredOverload
  public func challengeComposeController(
    withPlayers playerIDs: [String]?, message: String?,
    completion completionHandler: GKChallengeComposeCompletionBlock? = nil
  ) -> UIViewController? {
    composer(message, playerIDs?.compactMap(GKPlayer.init(id:)), ids: completionHandler)
  }
}

extension GKAchievement: ChallengeComposing {
  func composition(_ message: String?, _ players: [GKPlayer]) -> ChallengeComposition {
    let achievement = identifier
    return ChallengeComposition(
      message: message ?? "", players: players, subject: { await Self.title(of: achievement) }
    ) { (ids, message) async throws(GKError) in
      try await Self.issue(achievement, to: ids, message: message)
    }
  }

  private static func title(of achievement: String) async -> String {
    let descriptions = try? await GKAchievementDescription.load()
    let title = descriptions?.first { $0.identifier == achievement }?.title ?? ""
    return title.isEmpty ? achievement : title
  }
}
