internal import Dialogs
internal import MusterKit

/// Creates the context of the player and a friend, or enters it if it exists.
public final class CreateContextDialog: ContextWebDialog {
  public init(
    content: CreateContextContent, windowFinder: (any WindowFinding)? = nil,
    delegate: (any ContextDialogDelegate)?
  ) {
    super.init(delegate: delegate, dialogContent: content)
  }

  override func plan() throws -> Plan {
    guard let content = dialogContent as? CreateContextContent else { return try super.plan() }
    let playerID = content.playerID
    return { client in
      await DialogOutcome.answered(playerID).then { try await client.createContext(with: $0) }
    }
  }
}

extension GamingServicesClient {
  fileprivate func createContext(with playerID: String) async throws(GamingServicesError) {
    guard let player = PlayerID(playerID) else {
      throw GamingServicesError(
        .notReachable, argument: "playerID", value: playerID, "The player cannot be reached.")
    }
    var operation = CreatePairContext()
    operation.player = player
    _ = try await call(operation)
  }
}
