public import Dispatch
public import Foundation
internal import Locking
public import MusterKit

/// Where a game configures the client that its dialogs use, and who shows them.
///
/// This library draws nothing. A dialog in which a player chooses is shown by the game's
/// `presenter`; the other dialogs only ask the server.
@preconcurrency @MainActor
public enum GamingServices {
  /// Shows the dialogs in which a player chooses. Where it is nil, a dialog that needs a choice
  /// fails, and a request whose content names its recipients is sent without being shown.
  public static var presenter: (any DialogPresenter)?

  /// How long a presenter may take. Then the dialog fails with `deadlineExceeded`, the next one can
  /// be shown, and a late answer is not heard.
  public static var dialogTimeLimit = Duration.seconds(600)

  /// Where delegates are called; the main queue unless a game sets another one. Their protocols
  /// belong to the main actor all the same: on another queue, the delegate's methods have to be
  /// `nonisolated`, which the compiler cannot check.
  public static var delegateQueue = DispatchQueue.main

  /// By what the main queue is known: on Linux it is another object each time.
  private static let mainMark = {
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return mark
  }()

  static var openContextDialog: ContextWebDialog?
  static var openRequestDialog: GameRequestDialog?

  /// Makes this library use `client`. The game signs its player in itself.
  ///
  /// - Parameters:
  ///   - client: the client of the game's player.
  ///   - file: where this device keeps the current context from one start of the app to the next;
  ///     nil to keep none.
  public nonisolated static func configure(client: MusterClient, keepingContextIn file: URL?) {
    configure(connection: client, keepingContextIn: file)
  }

  /// Makes this library use `client`, and keep the current context in `contextFile`. The game signs
  /// its player in itself.
  public nonisolated static func configure(client: MusterClient) {
    configure(connection: client, keepingContextIn: contextFile)
  }

  /// In the system's folder for an app's own files; nil where there is none.
  public nonisolated static var contextFile: URL? {
    let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?
      .appendingPathComponent(app).appendingPathComponent("muster-context.json")
  }

  package nonisolated static func configure(
    connection: (any GamingServicesClient)?, keepingContextIn file: URL? = nil
  ) {
    ContextState.begin(connection, keptIn: file)
    Task { @MainActor in links.clientChanged() }
    if let connection { Task { await connection.keepFrictionlessRecipients() } }
  }

  nonisolated static var client: (any GamingServicesClient)? {
    ContextState.shared.withLock { $0.client }
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

  /// Calls a delegate where the game wants it to be called.
  static func tell(_ call: @escaping @MainActor @Sendable () -> Void) {
    if delegateQueue.getSpecific(key: mainMark) == true { return call() }
    // The delegate's protocol says the main actor, and the game has said that this queue will do.
    let call = unsafe unsafeBitCast(call, to: (@Sendable () -> Void).self)
    delegateQueue.async { call() }
  }
}
