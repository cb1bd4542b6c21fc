import Dialogs
import Foundation
import GamingServicesCompat
import MusterKit
import Operations
import Testing

/// A player who shows dialogs, and remembers what their delegates were told.
@MainActor
final class DialogPlayer {
  let client: MusterClient
  let credential: Credential
  let friend: MusterClient
  let friendID: String
  private var listeners: [DialogListener] = []

  init(
    _ player: (client: MusterClient, Credential), friend: (client: MusterClient, Credential)
  ) {
    (client, credential) = player
    self.friend = friend.client
    friendID = friend.1.player.description
  }

  /// Shows a dialog with a listener of its own, and returns that.
  private func show(_ dialog: (DialogListener) -> Void) -> DialogListener {
    let listener = DialogListener()
    listeners.append(listener)
    dialog(listener)
    return listener
  }

  func showCreate(_ playerID: String) -> DialogListener {
    show { listener in
      CreateContextDialog(
        content: CreateContextContent(playerID: playerID), windowFinder: InternalUtility.shared,
        delegate: listener
      ).show()
    }
  }

  func showSend(
    to recipients: [String], isFrictionless: Bool = false,
    _ change: (GameRequestContent) -> Void = { _ in }
  ) -> DialogListener {
    show { listener in
      let content = GameRequestContent()
      (content.message, content.recipients) = ("Play with me", recipients)
      change(content)
      let dialog = GameRequestDialog(content: content, delegate: listener)
      dialog.isFrictionlessRequestsEnabled = isFrictionless
      dialog.show()
    }
  }

  func create(_ playerID: String) async -> String? { await showCreate(playerID).told.first() }

  func change(to token: String) async -> String? {
    await show { listener in
      SwitchContextDialog(
        content: SwitchContextContent(contextID: token), windowFinder: InternalUtility.shared,
        delegate: listener
      ).show()
    }.told.first()
  }

  func choose(_ change: (ChooseContextContent) -> Void = { _ in }) async -> String? {
    await show { listener in
      let content = ChooseContextContent()
      change(content)
      ChooseContextDialog(content: content, delegate: listener).show()
    }.told.first()
  }

  func send(to recipients: [String]) async -> String? {
    await showSend(to: recipients).told.first()
  }

  /// That no delegate was told twice, whatever came later.
  func expectEachToldOnce(_ location: SourceLocation = #_sourceLocation) {
    #expect(listeners.map(\.count) == listeners.map { _ in 1 }, sourceLocation: location)
  }
}

/// Remembers what a dialog has told it.
@MainActor
final class DialogListener: ContextDialogDelegate, GameRequestDialogDelegate {
  let told: AsyncStream<String>
  private(set) var count = 0
  private(set) var results: [String: Any] = [:]
  private(set) var error: NSError?
  private let telling: AsyncStream<String>.Continuation

  init() { (told, telling) = AsyncStream.makeStream(of: String.self) }

  private func note(_ text: String) {
    count += 1
    telling.yield(text)
  }

  private func note(_ error: any Error) {
    self.error = error as NSError
    let own = error as? GamingServicesError
    note("failed \(own.map { "\($0.failureCode)" } ?? "\(error)")")
  }

  func contextDialogDidComplete(_ contextDialog: ContextWebDialog) { note("completed") }
  func contextDialog(_ contextDialog: ContextWebDialog, didFailWithError error: any Error) {
    note(error)
  }
  func contextDialogDidCancel(_ contextDialog: ContextWebDialog) { note("cancelled") }

  func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didCompleteWithResults results: [String: Any]
  ) {
    self.results = results
    note("completed")
  }
  func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didFailWithError error: any Error
  ) { note(error) }
  func gameRequestDialogDidCancel(_ gameRequestDialog: GameRequestDialog) { note("cancelled") }
}

extension AsyncStream where Element: Sendable {
  /// The next element; nil when there are no more.
  func first() async -> Element? {
    for await element in self { return element }
    return nil
  }
}
