internal import MusterKit

/// What the three context dialogs have in common. A shown dialog lives until it has told its
/// delegate.
@preconcurrency @MainActor
public class ContextWebDialog {
  /// The delegate is held strongly, because the dialog may be all that a game keeps.
  public var delegate: (any ContextDialogDelegate)?

  init(delegate: (any ContextDialogDelegate)?) { self.delegate = delegate }

  /// Throws what is wrong before anybody is asked.
  func check() throws(GamingServicesError) {}

  /// Runs the dialog; returns false when the player chose nothing.
  func run(_ client: any GamingServicesClient) async throws -> Bool { false }

  /// Asks the player, if there is a choice, and the server.
  ///
  /// - Returns: false when the delegate was told of a failure at once: invalid content
  ///   (`requiredArgument`, `invalidArgument`), another context dialog open (`pendingRequest`), no
  ///   player (`notAuthenticated`).
  @discardableResult
  public func show() -> Bool {
    do throws(GamingServicesError) {
      try check()
      let client = try GamingServices.signedInClient()
      if GamingServices.openContextDialog != nil {
        throw GamingServicesError(.pendingRequest, "Another context dialog is open.")
      }
      GamingServices.openContextDialog = self
      Task { await self.finish(client) }
      return true
    } catch {
      delegate?.contextDialog(self, didFailWithError: error)
      return false
    }
  }

  private func finish(_ client: any GamingServicesClient) async {
    let result: Result<Bool, any Error>
    do { result = .success(try await run(client)) } catch { result = .failure(error) }
    // This dialog is closed before the delegate is told, because the delegate may open the next
    // one.
    GamingServices.openContextDialog = nil
    switch result {
    case .success(true): delegate?.contextDialogDidComplete(self)
    case .success(false): delegate?.contextDialogDidCancel(self)
    case .failure(let error): delegate?.contextDialog(self, didFailWithError: error)
    }
  }
}

extension ContextWebDialog {
  func enter(_ token: String, _ client: any GamingServicesClient)
    async throws(GamingServicesError)
  {
    guard let context = ContextID(token) else {
      throw GamingServicesError(
        .notFound, argument: "contextToken", "There is no such context, or you are not in it.")
    }
    let same = GamingServicesError(
      .sameContext, argument: "contextToken", "You are in this context already.")
    let known = client.currentContext?.context
    if known == context { throw same }
    var operation = SwitchContext()
    operation.context = context
    // What the service knows of the current context may be a moment old.
    if try await client.call(operation).wasCurrent && known == nil { throw same }
  }
}
