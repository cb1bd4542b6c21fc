internal import Locking
public import MusterKit

/// Where a game configures the client that its dialogs use, and how players choose in them.
///
/// This library draws nothing. A dialog in which a player chooses hands the choices to the game's
/// own screen; the other dialogs only ask the server. Delegates are called on the main actor.
@MainActor
public enum GamingServices {
  private nonisolated static let configured = Locked<(any GamingServicesClient)?>(nil)

  /// Shows the contexts to choose from, and returns the chosen one; nil when the player closes the
  /// screen. It may take as long as the player likes.
  public static var contextChooser: (@MainActor (ContextChoices) async throws -> GamingContext?)?

  /// Shows the friends to whom a request may go, and returns the ids of the chosen ones; nil or an
  /// empty list when the player closes the screen. It may take as long as the player likes.
  public static var recipientSelector:
    (@MainActor (GameRequestContent, [GameRequestFriend]) async throws -> [String]?)?

  /// Shows a request whose content names its recipients, and returns whether to send it. Where it
  /// is not set, such requests are sent at once; a frictionless one always is.
  public static var requestConfirmer: (@MainActor (GameRequestContent) async throws -> Bool)?

  static var openContextDialog: ContextWebDialog?
  static var openRequestDialog: GameRequestDialog?

  /// Makes this library use `client`. The game signs its player in itself.
  public nonisolated static func configure(client: MusterClient) { configure(connection: client) }

  package nonisolated static func configure(connection: (any GamingServicesClient)?) {
    configured.withLock { $0 = connection }
    Task { @MainActor in links.clientChanged() }
    if let connection { Task { await connection.keepFrictionlessRecipients() } }
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
