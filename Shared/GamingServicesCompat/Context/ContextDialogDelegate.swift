/// Learns how a context dialog went: exactly one of these is called for each `show()`.
@preconcurrency @MainActor
public protocol ContextDialogDelegate: AnyObject {
  /// `GamingContext.current` is the new context already.
  func contextDialogDidComplete(_ contextDialog: ContextWebDialog)
  /// `GamingContext.current` is as it was.
  func contextDialog(_ contextDialog: ContextWebDialog, didFailWithError error: any Error)
  func contextDialogDidCancel(_ contextDialog: ContextWebDialog)
}
