internal import MusterKit

/// Enters one of the player's contexts.
public final class SwitchContextDialog: ContextWebDialog {
  public var dialogContent: SwitchContextContent

  public init(
    content: SwitchContextContent, windowFinder: Any? = nil,
    delegate: (any ContextDialogDelegate)?
  ) {
    dialogContent = content
    super.init(delegate: delegate)
  }

  override func check() throws(GamingServicesError) { try dialogContent.validate() }

  override func run(_ client: any GamingServicesClient) async throws -> Bool {
    try await enter(dialogContent.contextTokenID, client)
    return true
  }
}
