internal import MusterKit

/// Lets the player choose one of the player's contexts on the game's own screen, and enters it.
public final class ChooseContextDialog: ContextWebDialog {
  public var dialogContent: ChooseContextContent

  public init(content: ChooseContextContent, delegate: (any ContextDialogDelegate)?) {
    dialogContent = content
    super.init(delegate: delegate)
  }

  override func check() throws(GamingServicesError) {
    try dialogContent.validate()
    if GamingServices.contextChooser == nil {
      throw GamingServicesError(
        .requiredArgument, argument: "contextChooser",
        "GamingServices.contextChooser is not set: nobody can show the choices.")
    }
  }

  override func run(_ client: any GamingServicesClient) async throws -> Bool {
    guard let choose = GamingServices.contextChooser else { return false }
    let choices = ContextChoices(client, dialogContent)
    guard let chosen = try await choose(choices) else { return false }
    try await enter(chosen.identifier, client)
    return true
  }
}
