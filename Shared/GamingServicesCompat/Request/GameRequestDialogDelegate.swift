/// Hears how a request dialog ended: exactly one of these methods is called for each `show()`.
///
/// The protocol belongs to the main actor, so that view controllers adopt it as they are, in Swift
/// 5 and 6. Where a game sets another `GamingServices.delegateQueue`, its methods are called there
/// all the same: it then declares them `nonisolated`.
@preconcurrency @MainActor
public protocol GameRequestDialogDelegate: AnyObject {
  /// The server has accepted the request.
  ///
  /// - Parameters:
  ///   - gameRequestDialog: the dialog that was shown.
  ///   - results: `request_id` and `request`: the request's id (String); `recipients` and `to`: the
  ///     players to whom it goes ([String]); `outcomes`: for each recipient, whether the request
  ///     reaches it ([String: String]: delivered, queued, notReachable, limitReached,
  ///     expiredToken); `warnings`: sentences about content that may be shown badly ([String]).
  func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didCompleteWithResults results: [String: Any])
  func gameRequestDialog(
    _ gameRequestDialog: GameRequestDialog, didFailWithError error: any Error)
  func gameRequestDialogDidCancel(_ gameRequestDialog: GameRequestDialog)
}
