internal import MusterKit

/// Creates the context of the player and a friend, or enters it if it exists.
public final class CreateContextDialog: ContextWebDialog {
  public var dialogContent: CreateContextContent

  public init(
    content: CreateContextContent, windowFinder: Any? = nil,
    delegate: (any ContextDialogDelegate)?
  ) {
    dialogContent = content
    super.init(delegate: delegate)
  }

  override func check() throws(GamingServicesError) { try dialogContent.validate() }

  override func run(_ client: any GamingServicesClient) async throws -> Bool {
    guard let player = PlayerID(dialogContent.playerID) else {
      throw GamingServicesError(
        .notReachable, argument: "playerID", "The player cannot be reached.")
    }
    var operation = CreatePairContext()
    operation.player = player
    _ = try await client.call(operation)
    return true
  }
}
