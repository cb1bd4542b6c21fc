internal import Dialogs
public import Foundation
internal import MusterKit

/// What the three context dialogs have in common. A shown dialog lives until it has told its
/// delegate.
@preconcurrency @MainActor
public class ContextWebDialog: NSObject, DialogProtocol {
  /// The delegate is held strongly, because the dialog may be all that a game keeps.
  public var delegate: (any ContextDialogDelegate)?
  public var dialogContent: (any ValidatableProtocol)?

  init(delegate: (any ContextDialogDelegate)?, dialogContent: (any ValidatableProtocol)?) {
    self.delegate = delegate
    self.dialogContent = dialogContent
    super.init()
  }

  /// Throws what is wrong with the dialog before anybody is asked.
  public func validate() throws {
    guard let dialogContent else { throw GamingServicesDialogError.missingContent }
    try dialogContent.validate()
  }

  /// Returns what is to be run, where the content is of the dialog's kind.
  func plan() throws -> Plan { throw GamingServicesDialogError.invalidContentType }

  /// Asks the player, if there is a choice, and the server; throws what has failed, and returns
  /// false when the player has chosen nothing.
  typealias Plan = @MainActor (any GamingServicesClient) async -> DialogOutcome<Void>

  /// Asks the player, if there is a choice, and the server.
  ///
  /// - Returns: false when the delegate was told of a failure at once: invalid content
  ///   (`requiredArgument`, `invalidArgument`), nobody who can show the choices
  ///   (`requiredArgument`), no player (`notAuthenticated`), another context dialog open
  ///   (`pendingRequest`).
  @discardableResult
  public func show() -> Bool {
    MainActor.preconditionIsolated("A dialog is shown on the main thread.")
    do {
      try validate()
      let plan = try plan()
      let client = try GamingServices.signedInClient()
      if GamingServices.openContextDialog != nil {
        throw GamingServicesError(.pendingRequest, "Another context dialog is open.")
      }
      GamingServices.openContextDialog = self
      Task { finish(await plan(client), client) }
      return true
    } catch {
      tell(.failed(error))
      return false
    }
  }

  private func finish(_ outcome: DialogOutcome<Void>, _ client: any GamingServicesClient) {
    // This dialog is closed before the delegate is told, because the delegate may open the next
    // one.
    GamingServices.openContextDialog = nil
    if case .answered = outcome { ContextState.entered(client) }
    tell(outcome)
  }

  private func tell(_ outcome: DialogOutcome<Void>) {
    guard let delegate else { return }
    GamingServices.tell {
      switch outcome {
      case .answered: delegate.contextDialogDidComplete(self)
      case .cancelled: delegate.contextDialogDidCancel(self)
      case .failed(let error): delegate.contextDialog(self, didFailWithError: error)
      case .timedOut:
        delegate.contextDialog(self, didFailWithError: GamingServicesError.timedOut())
      }
    }
  }
}

extension GamingServicesClient {
  func enter(_ token: String) async throws(GamingServicesError) {
    guard let context = ContextID(token) else {
      throw GamingServicesError(
        .notFound, argument: "contextToken", value: token,
        "There is no such context, or you are not in it.")
    }
    let same = GamingServicesError(
      .sameContext, argument: "contextToken", value: token, "You are in this context already.")
    let known = currentContext?.context
    // What the game has set stands in for the player's own context, which this dialog goes back to.
    let isReplaced = ContextState.isReplaced(context, self)
    if known == context {
      if isReplaced { return }
      throw same
    }
    var operation = SwitchContext()
    operation.context = context
    // What the service knows of the current context may be a moment old.
    if try await call(operation).wasCurrent && known == nil && !isReplaced { throw same }
  }
}
