/// Hears how a context dialog ended: exactly one of these methods is called for each `show()`.
///
/// The protocol belongs to the main actor, so that view controllers adopt it as they are, in Swift
/// 5 and 6. Where a game sets another `GamingServices.delegateQueue`, its methods are called there
/// all the same: it then declares them `nonisolated`.
@preconcurrency @MainActor
public protocol ContextDialogDelegate: AnyObject {
  /// The player has entered a context, which is `GamingContext.current` by now.
  func contextDialogDidComplete(_ contextDialog: ContextWebDialog)
  /// The dialog has failed; `GamingContext.current` is as it was. The error is a
  /// `GamingServicesError`, a `GamingServicesDialogError`, or what the presenter has thrown.
  func contextDialog(_ contextDialog: ContextWebDialog, didFailWithError error: any Error)
  func contextDialogDidCancel(_ contextDialog: ContextWebDialog)
}
