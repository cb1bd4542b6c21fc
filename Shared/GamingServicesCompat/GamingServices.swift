internal import Locking
public import MusterKit

/// Where a game says which client its dialogs speak through, and how players choose in them.
///
/// This library draws nothing. A dialog in which a player chooses hands the choices to the game's
/// own screen; the others only ask the server. Delegates are called on the main actor.
@MainActor
public enum GamingServices {
  private nonisolated static let configured = Locked<(any GamingServicesClient)?>(nil)

  /// Shows the contexts that may be chosen, and gives the chosen one; nil when the player closes
  /// it. The player's time is not limited.
  public static var contextChooser: (@MainActor (ContextChoices) async throws -> GamingContext?)?

  /// Shows the friends to whom a request may go, and gives the ids of the chosen ones; nil or none
  /// when the player closes it. The player's time is not limited.
  public static var recipientSelector:
    (@MainActor (GameRequestContent, [GameRequestFriend]) async throws -> [String]?)?

  static var openContextDialog: ContextWebDialog?
  static var openRequestDialog: GameRequestDialog?

  /// Everything in this library goes through `client` from here on. The game signs its player in.
  public nonisolated static func configure(client: MusterClient) { configure(connection: client) }

  package nonisolated static func configure(connection: (any GamingServicesClient)?) {
    configured.withLock { $0 = connection }
  }

  nonisolated static var client: (any GamingServicesClient)? { configured.withLock { $0 } }

  static func signedInClient() throws(GamingServicesError) -> any GamingServicesClient {
    guard let client else {
      throw GamingServicesError(
        .notAuthenticated, "GamingServices.configure(client:) was not called.")
    }
    guard client.session?.player != nil else {
      throw GamingServicesError(.notAuthenticated, "No player is signed in.")
    }
    return client
  }
}
