internal import Dialogs
internal import MusterKit

/// Lets the player choose one of the player's contexts, which `GamingServices.presenter` shows, and
/// enters it.
public final class ChooseContextDialog: ContextWebDialog {
  public init(content: ChooseContextContent, delegate: (any ContextDialogDelegate)?) {
    super.init(delegate: delegate, dialogContent: content)
  }

  override func plan() throws -> Plan {
    guard let content = dialogContent as? ChooseContextContent else { return try super.plan() }
    guard let presenter = GamingServices.presenter else {
      throw GamingServicesError(
        .requiredArgument, argument: "presenter",
        "GamingServices.presenter is not set: nobody can show the choices.",
        number: SDKNumber(.errorDialogUnavailable))
    }
    // What the content says when the dialog is shown is what holds.
    let first = ChooseContexts(content)
    return { client in
      let choice = ContextChoice(client.contexts(first))
      let outcome = await dialogOutcome(within: GamingServices.dialogTimeLimit) {
        try await presenter.chooseContext(choice)
      }
      return await outcome.then { chosen in try await client.enter(chosen.identifier) }
    }
  }
}

extension ChooseContexts {
  /// - Parameter content: valid, so that its bounds are not negative.
  init(_ content: ChooseContextContent) {
    self.init()
    filter = content.filter.filter
    minParticipants = UInt32(clamping: content.minParticipants)
    maxParticipants = UInt32(clamping: content.maxParticipants)
  }
}
