internal import MusterKit

#if canImport(UIKit)
  public import UIKit
#endif

extension GKScore {
  /// Returns a composer for a challenge to meet this score.
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

extension GKScore: ChallengeComposing {
  func composition(_ message: String?, _ players: [GKPlayer]) -> ChallengeComposition {
    target.composition(message, players)
  }
}

extension ScoreTarget {
  @MainActor
  func composition(_ message: String?, _ players: [GKPlayer]) -> ChallengeComposition {
    ChallengeComposition(
      message: message ?? "", players: players, subject: { await subject() }
    ) { (ids, message) async throws(GKError) in
      try await issue(to: ids, message: message)
    }
  }

  /// The board's title, and the score as the board shows it.
  @MainActor
  private func subject() async -> String {
    let definition = try? await GameKit.signedInClient().board(board).definition
    let title = definition?.title ?? ""
    let name = title.isEmpty ? board : title
    return value.map { name + ": " + (definition?.format ?? .integer).text($0) } ?? name
  }
}
