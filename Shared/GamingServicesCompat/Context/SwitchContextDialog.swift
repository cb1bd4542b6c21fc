internal import Dialogs
internal import MusterKit

/// Enters one of the player's contexts.
public final class SwitchContextDialog: ContextWebDialog {
  public init(
    content: SwitchContextContent, windowFinder: (any WindowFinding)? = nil,
    delegate: (any ContextDialogDelegate)?
  ) {
    super.init(delegate: delegate, dialogContent: content)
  }

  /// The older way to make one.
  public static func dialog(
    withContent content: SwitchContextContent, windowFinder: (any WindowFinding)?,
    delegate: any ContextDialogDelegate
  ) -> SwitchContextDialog {
    SwitchContextDialog(content: content, windowFinder: windowFinder, delegate: delegate)
  }

  override func plan() throws -> Plan {
    guard let content = dialogContent as? SwitchContextContent else { return try super.plan() }
    let token = content.contextTokenID
    return { client in
      await DialogOutcome.answered(token).then { try await client.enter($0) }
    }
  }
}

/// The name under which Objective-C knows the dialog.
public typealias FBSDKSwitchContextDialog = SwitchContextDialog
