#if canImport(UIKit)
  internal import UIKit
#endif

/// What a player can be challenged for. Each composer is a controller for the game to present.
@MainActor
protocol ChallengeComposing {
  func composition(_ message: String?, _ players: [GKPlayer]) -> ChallengeComposition
}

extension ChallengeComposing {
  func composer(
    _ message: String?, _ players: [GKPlayer]?, _ handler: GKChallengeComposeHandler?
  ) -> UIViewController {
    ChallengeComposeController(composition(message, players ?? [])) { composer, challenged in
      handler?(composer, challenged != nil, challenged)
    }
  }

  func composer(
    _ message: String?, _ players: [GKPlayer]?, ids handler: GKChallengeComposeCompletionBlock?
  ) -> UIViewController {
    composer(message, players) { composer, isIssued, challenged in
      handler?(composer, isIssued, challenged?.map(\.playerID))
    }
  }
}
