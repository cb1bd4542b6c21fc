/// Why a context dialog cannot be shown at all.
public enum GamingServicesDialogError: Error, Sendable {
  /// The content is not of the kind that the dialog shows.
  case invalidContentType
  /// The dialog has no content.
  case missingContent
  /// No link to another app could be made. Muster's dialogs make none.
  case deeplinkURLCreation
  /// A dialog that answers by a result was closed. Delegates hear of that by `didCancel`.
  case cancelled
}

/// Why `ContextDialogPresenter` has shown no dialog.
public enum ContextDialogPresenterError: Error, Sendable {
  case showCreateContext
  case showSwitchContext
  case showChooseContext
  /// No player is signed in.
  case invalidAccessToken
}
