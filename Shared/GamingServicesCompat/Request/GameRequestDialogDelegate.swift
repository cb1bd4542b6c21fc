/// Hears how a request dialog ended: exactly one of these methods is called for each `show()`.
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
