internal import Locking
public import MusterKit

/// Where a game says which client its players play through.
///
/// Handlers and delegates are called on the main actor.
@MainActor
public enum GameKit {
  private nonisolated static let configured = Locked<(any GameKitClient)?>(nil)
  static var credential: Credential?
  static var signInScreen: AnyObject?

  /// Asked before each banner about a challenge, with the challenge and what happened to it: the game
  /// shows its own banner and gives true, or gives false when it shows none. Without it every banner
  /// counts as shown.
  public static var showChallengeBanner: (@MainActor (GKChallenge, ChallengeNotice.Kind) -> Bool)?

  /// Everything in this library goes through `client` from here on. Configure before setting
  /// `GKLocalPlayer.local.authenticateHandler`.
  ///
  /// - Parameters:
  ///   - client: the connection that everything here goes over.
  ///   - credential: signs the player in as soon as there is an authenticate handler; without one
  ///     the game signs in through the client.
  ///   - signInScreen: what the authenticate handler gets to present while nobody is signed in,
  ///     such as a view controller of the game's own.
  ///   - challenge: the challenge that the game was launched for, if it was: right after
  ///     authentication listeners hear that the player wants to play it, when it is still open.
  public static func configure(
    client: MusterClient, credential: Credential? = nil, signInScreen: AnyObject? = nil,
    launchedFor challenge: ChallengeID? = nil
  ) {
    configure(
      connection: client, credential: credential, signInScreen: signInScreen,
      launchedFor: challenge)
  }

  package static func configure(
    connection: any GameKitClient, credential: Credential? = nil, signInScreen: AnyObject? = nil,
    launchedFor challenge: ChallengeID? = nil
  ) {
    let isSameClient = client === connection
    configured.withLock { $0 = connection }
    self.credential = credential
    self.signInScreen = signInScreen
    GKLocalPlayer.local.restart()
    GKLocalPlayer.local.challengeEvents.restart(
      isSameClient: isSameClient, launchedFor: challenge)
  }

  /// The player has selected a banner about a received challenge: listeners hear that the player wants
  /// to play it. False when its banner was suppressed or selected before, when it has ended or was
  /// declined, and when nobody listens: then it can still be selected.
  @discardableResult
  public static func selectChallengeBanner(of challenge: GKChallenge) -> Bool {
    GKLocalPlayer.local.challengeEvents.select(challenge)
  }

  nonisolated static var client: (any GameKitClient)? { configured.withLock { $0 } }

  static func signedInClient() throws(GKError) -> any GameKitClient {
    guard let client, client.session?.player != nil else {
      throw GKError(.notAuthenticated, "No player is signed in.")
    }
    return client
  }
}
