internal import Locking
public import MusterKit

/// Where a game configures the client that its dialogs use, and how players choose in them.
///
/// This library draws nothing. A dialog in which a player chooses hands the choices to the game's
/// own screen; the other dialogs only ask the server. Delegates are called on the main actor.
@MainActor
public enum GamingServices {
  private struct Configured {
    var client: (any GamingServicesClient)?
    /// Those who wait for the next client.
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private nonisolated static let configured = Locked(Configured())

  /// Shows the contexts to choose from, and returns the chosen one; nil when the player closes the
  /// screen. It may take as long as the player likes.
  public static var contextChooser: (@MainActor (ContextChoices) async throws -> GamingContext?)?

  /// Shows the friends to whom a request may go, and returns the ids of the chosen ones; nil or an
  /// empty list when the player closes the screen. It may take as long as the player likes.
  public static var recipientSelector:
    (@MainActor (GameRequestContent, [GameRequestFriend]) async throws -> [String]?)?

  static var openContextDialog: ContextWebDialog?
  static var openRequestDialog: GameRequestDialog?

  /// Makes this library use `client`. The game signs its player in itself.
  public nonisolated static func configure(client: MusterClient) { configure(connection: client) }

  package nonisolated static func configure(connection: (any GamingServicesClient)?) {
    let waiters = configured.withLock { configured in
      configured.client = connection
      defer { configured.waiters = [] }
      return configured.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  nonisolated static var client: (any GamingServicesClient)? { configured.withLock { $0.client } }

  /// Waits until a player is signed in to the client that is configured then. Returns false when
  /// the wait was cancelled.
  static func isSignedIn() async -> Bool {
    while !Task.isCancelled {
      if let client {
        for await _ in client.states {
          if client.session?.player != nil { return true }
        }
        // This client is closed.
        if Task.isCancelled { return false }
      }
      await withCheckedContinuation { continuation in
        configured.withLock { $0.waiters.append(continuation) }
      }
    }
    return false
  }

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
