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

  /// Everything in this library goes through `client` from here on. Configure before setting
  /// `GKLocalPlayer.local.authenticateHandler`.
  ///
  /// - Parameters:
  ///   - client: the connection that everything here goes over.
  ///   - credential: signs the player in as soon as there is an authenticate handler; without one
  ///     the game signs in through the client.
  ///   - signInScreen: what the authenticate handler gets to present while nobody is signed in,
  ///     such as a view controller of the game's own.
  public static func configure(
    client: MusterClient, credential: Credential? = nil, signInScreen: AnyObject? = nil
  ) {
    configure(connection: client, credential: credential, signInScreen: signInScreen)
  }

  package static func configure(
    connection: any GameKitClient, credential: Credential? = nil, signInScreen: AnyObject? = nil
  ) {
    configured.withLock { $0 = connection }
    self.credential = credential
    self.signInScreen = signInScreen
    GKLocalPlayer.local.restart()
  }

  nonisolated static var client: (any GameKitClient)? { configured.withLock { $0 } }

  static func signedInClient() throws(GKError) -> any GameKitClient {
    guard let client, client.session?.player != nil else {
      throw GKError(.notAuthenticated, "No player is signed in.")
    }
    return client
  }
}
