/// Hears how a context dialog ended: exactly one of these methods is called for each `show()`.
@preconcurrency @MainActor
public protocol ContextDialogDelegate: AnyObject {
  /// The player has entered a context, which is `GamingContext.current` by now.
  func contextDialogDidComplete(_ contextDialog: ContextWebDialog)
  /// The dialog has failed; `GamingContext.current` is as it was.
  func contextDialog(_ contextDialog: ContextWebDialog, didFailWithError error: any Error)
  func contextDialogDidCancel(_ contextDialog: ContextWebDialog)
}
