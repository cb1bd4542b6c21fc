internal import Dialogs
public import Foundation
internal import MusterKit

/// Sends a request. If the content names no recipients, the player selects them first, in a dialog
/// that `GamingServices.presenter` shows. A shown dialog lives until it has told its delegate.
@preconcurrency @MainActor
public final class GameRequestDialog: NSObject {
  public var content: GameRequestContent
  public weak var delegate: (any GameRequestDialogDelegate)?
  /// Whether the request is sent without asking the player when every recipient has agreed to that.
  public var isFrictionlessRequestsEnabled = false

  public init(content: GameRequestContent, delegate: (any GameRequestDialogDelegate)?) {
    self.content = content
    self.delegate = delegate
    super.init()
  }

  /// No app needs to be installed, so a dialog can always be shown; `show()` says what is missing.
  public var canShow: Bool { true }

  public static func dialog(
    content: GameRequestContent, delegate: (any GameRequestDialogDelegate)?
  ) -> GameRequestDialog {
    GameRequestDialog(content: content, delegate: delegate)
  }

  @discardableResult
  public static func show(
    content: GameRequestContent, delegate: (any GameRequestDialogDelegate)?
  ) -> GameRequestDialog {
    let dialog = GameRequestDialog(content: content, delegate: delegate)
    dialog.show()
    return dialog
  }

  /// Throws what is wrong with the content before anybody is asked.
  public func validate() throws { try content.validate() }

  /// Asks the player, if there is a choice, and the server.
  ///
  /// - Returns: false when the delegate was told of a failure at once: invalid content
  ///   (`requiredArgument`, `invalidArgument`), nobody who can show the selector
  ///   (`requiredArgument`), no player (`notAuthenticated`), another request dialog open
  ///   (`pendingRequest`).
  @discardableResult
  public func show() -> Bool {
    MainActor.preconditionIsolated("A dialog is shown on the main thread.")
    do {
      try validate()
      let presenter = GamingServices.presenter
      if content.recipients.isEmpty && presenter == nil {
        throw GamingServicesError(
          .requiredArgument, argument: "recipients",
          "There are no recipients, and GamingServices.presenter is not set.",
          number: SDKNumber(.dialogNotAvailable))
      }
      let client = try GamingServices.signedInClient()
      if GamingServices.openRequestDialog != nil {
        throw GamingServicesError(
          .pendingRequest, "Another request dialog is open.",
          number: SDKNumber(.dialogNotAvailable))
      }
      GamingServices.openRequestDialog = self
      // What the content says when the dialog is shown is what is sent.
      let sending = RequestSending(
        request: content.operation, isFrictionless: isFrictionlessRequestsEnabled,
        presenter: presenter, client: client)
      Task { finish(await sending.run()) }
      return true
    } catch {
      tell(.failed(error))
      return false
    }
  }

  private func finish(_ outcome: DialogOutcome<SendRequest.Reply>) {
    // This dialog is closed before the delegate is told, because the delegate may open the next
    // one.
    GamingServices.openRequestDialog = nil
    tell(outcome)
  }

  private func tell(_ outcome: DialogOutcome<SendRequest.Reply>) {
    guard let delegate else { return }
    GamingServices.tell {
      switch outcome {
      case .answered(let reply):
        delegate.gameRequestDialog(self, didCompleteWithResults: reply.results)
      case .cancelled: delegate.gameRequestDialogDidCancel(self)
      case .failed(let error): delegate.gameRequestDialog(self, didFailWithError: error)
      case .timedOut:
        delegate.gameRequestDialog(self, didFailWithError: GamingServicesError.timedOut())
      }
    }
  }
}

extension SendRequest.Reply {
  fileprivate var results: [String: Any] {
    let reached = recipients.filter { $0.outcome == .delivered || $0.outcome == .queued }
    let names = reached.map(\.recipient)
    let outcomes = recipients.map { ($0.recipient, $0.outcome.description) }
    return [
      "request_id": request.description, "request": request.description,
      "recipients": names, "to": names,
      "outcomes": Dictionary(outcomes) { first, _ in first }, "warnings": warnings,
    ]
  }
}
