internal import MusterKit

/// Sends a request. If the content names no recipients, the player selects them first.
/// A shown dialog lives until it has told its delegate.
@preconcurrency @MainActor
public final class GameRequestDialog {
  public var content: GameRequestContent
  public weak var delegate: (any GameRequestDialogDelegate)?
  /// Whether the request is sent without asking the player when every recipient has agreed to that.
  public var isFrictionlessRequestsEnabled = false

  public init(content: GameRequestContent, delegate: (any GameRequestDialogDelegate)?) {
    self.content = content
    self.delegate = delegate
  }

  @discardableResult
  public static func show(
    content: GameRequestContent, delegate: (any GameRequestDialogDelegate)?
  ) -> GameRequestDialog {
    let dialog = GameRequestDialog(content: content, delegate: delegate)
    dialog.show()
    return dialog
  }

  /// Asks the player, if there is a choice, and the server.
  ///
  /// - Returns: false when the delegate was told of a failure at once: invalid content
  ///   (`requiredArgument`, `invalidArgument`), another request dialog open (`pendingRequest`), no
  ///   player (`notAuthenticated`).
  @discardableResult
  public func show() -> Bool {
    do throws(GamingServicesError) {
      try content.validate()
      if content.recipients.isEmpty && GamingServices.recipientSelector == nil {
        throw GamingServicesError(
          .requiredArgument, argument: "recipients",
          "There are no recipients, and GamingServices.recipientSelector is not set.")
      }
      let client = try GamingServices.signedInClient()
      if GamingServices.openRequestDialog != nil {
        throw GamingServicesError(.pendingRequest, "Another request dialog is open.")
      }
      GamingServices.openRequestDialog = self
      Task { await self.finish(client) }
      return true
    } catch {
      delegate?.gameRequestDialog(self, didFailWithError: error)
      return false
    }
  }

  private func finish(_ client: any GamingServicesClient) async {
    let result: Result<SendRequest.Reply?, any Error>
    do { result = .success(try await run(client)) } catch { result = .failure(error) }
    // This dialog is closed before the delegate is told, because the delegate may open the next
    // one.
    GamingServices.openRequestDialog = nil
    switch result {
    case .success(let reply?):
      delegate?.gameRequestDialog(self, didCompleteWithResults: results(of: reply))
    case .success(nil): delegate?.gameRequestDialogDidCancel(self)
    case .failure(let error): delegate?.gameRequestDialog(self, didFailWithError: error)
    }
  }

  /// Runs the dialog; returns nil when the player selected nobody, or did not want to send it. Once
  /// the request is sent, the dialog is never reported as cancelled.
  private func run(_ client: any GamingServicesClient) async throws -> SendRequest.Reply? {
    var operation = content.operation
    if operation.recipients.isEmpty, let select = GamingServices.recipientSelector {
      let friends = try await client.friends(for: content)
      operation.recipients = try await select(content, friends) ?? []
      if operation.recipients.isEmpty { return nil }
      // Suggestions and filters were for the selector; the server refuses them beside recipients.
      operation.recipientSuggestions = []
      operation.filters = .none
    }
    if let failure = RequestContentRules.failure(in: operation) {
      throw GamingServicesError(failure)
    }
    if !content.recipients.isEmpty {
      if let reply = try await sendFrictionless(operation, client) { return reply }
      if let confirm = GamingServices.requestConfirmer, try await !confirm(content) { return nil }
    }
    return try await client.call(operation)
  }

  /// Sends the request without asking; nil when that is not on, or when the server says that
  /// somebody has not agreed, or does no more.
  private func sendFrictionless(_ operation: SendRequest, _ client: any GamingServicesClient)
    async throws(GamingServicesError) -> SendRequest.Reply?
  {
    guard isFrictionlessRequestsEnabled, client.frictionlessRecipients.allows(operation.recipients)
    else { return nil }
    var operation = operation
    operation.isFrictionless = true
    do {
      return try await client.call(operation)
    } catch  where error.code == .conflict {
      return nil
    }
  }

  private func results(of reply: SendRequest.Reply) -> [String: Any] {
    let reached = reply.recipients.filter { $0.outcome == .delivered || $0.outcome == .queued }
    let recipients = reached.map(\.recipient)
    let outcomes = reply.recipients.map { ($0.recipient, $0.outcome.description) }
    return [
      "request_id": reply.request.description, "request": reply.request.description,
      "recipients": recipients, "to": recipients,
      "outcomes": Dictionary(outcomes) { first, _ in first }, "warnings": reply.warnings,
    ]
  }
}
