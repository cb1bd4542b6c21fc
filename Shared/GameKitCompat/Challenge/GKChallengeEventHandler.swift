/// Tells one delegate of the local player's challenges, besides the registered listeners.
@preconcurrency @MainActor
public final class GKChallengeEventHandler {
  private static let shared = GKChallengeEventHandler()

  /// Returns the one handler there is.
  public static func challengeEventHandler() -> GKChallengeEventHandler { shared }

  private init() {}

  /// Hears of challenges from when the local player is authenticated. It is not kept alive. Events
  /// wait on the server while there is neither a delegate nor a listener.
  public weak var delegate: (any GKChallengeEventHandlerDelegate)? {
    get { GKLocalPlayer.local.challengeEvents.delegate }
    set { GKLocalPlayer.local.challengeEvents.delegate = newValue }
  }
}
