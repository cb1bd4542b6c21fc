public import Foundation
internal import MusterKit

/// Makes and shows the context dialogs.
@preconcurrency @MainActor
public final class ContextDialogPresenter: NSObject {
  public nonisolated override init() { super.init() }

  /// - Throws: `ContextDialogPresenterError.invalidAccessToken` when no player is signed in; the
  ///   delegate is told nothing then.
  public func makeAndShowCreateContextDialog(
    content: CreateContextContent, delegate: any ContextDialogDelegate
  ) throws {
    try Self.dialog(content, delegate).show()
  }

  /// - Throws: `ContextDialogPresenterError.invalidAccessToken` when no player is signed in; the
  ///   delegate is told nothing then.
  public func makeAndShowSwitchContextDialog(
    content: SwitchContextContent, delegate: any ContextDialogDelegate
  ) throws {
    try Self.dialog(content, delegate).show()
  }

  public func makeAndShowChooseContextDialog(
    content: ChooseContextContent, delegate: any ContextDialogDelegate
  ) {
    ChooseContextDialog(content: content, delegate: delegate).show()
  }

  private static func dialog(
    _ content: CreateContextContent, _ delegate: any ContextDialogDelegate
  ) throws -> CreateContextDialog {
    try checkPlayer()
    return CreateContextDialog(
      content: content, windowFinder: InternalUtility.shared, delegate: delegate)
  }

  private static func dialog(
    _ content: SwitchContextContent, _ delegate: any ContextDialogDelegate
  ) throws -> SwitchContextDialog {
    try checkPlayer()
    return SwitchContextDialog(
      content: content, windowFinder: InternalUtility.shared, delegate: delegate)
  }

  private static func checkPlayer() throws {
    do { _ = try GamingServices.signedInClient() } catch {
      throw ContextDialogPresenterError.invalidAccessToken
    }
  }
}

/// The older calls, which the SDK calls deprecated.
extension ContextDialogPresenter {
  /// Returns why no dialog was shown: `CoreError.errorAccessTokenRequired`.
  public static func showCreateContextDialog(
    withContent content: CreateContextContent, delegate: any ContextDialogDelegate
  ) -> NSError? {
    error { presenter in
      try presenter.makeAndShowCreateContextDialog(content: content, delegate: delegate)
    }
  }

  /// Returns why no dialog was shown: `CoreError.errorAccessTokenRequired`. Without a delegate none
  /// is, and that is no error.
  public static func showSwitchContextDialog(
    withContent content: SwitchContextContent, delegate: (any ContextDialogDelegate)?
  ) -> NSError? {
    guard let delegate else { return nil }
    return error { presenter in
      try presenter.makeAndShowSwitchContextDialog(content: content, delegate: delegate)
    }
  }

  @discardableResult
  public static func showChooseContextDialog(
    withContent content: ChooseContextContent, delegate: any ContextDialogDelegate
  ) -> ChooseContextDialog {
    let dialog = ChooseContextDialog(content: content, delegate: delegate)
    dialog.show()
    return dialog
  }

  @discardableResult
  public static func showChooseContextDialog(
    with content: ChooseContextContent, delegate: any ContextDialogDelegate
  ) -> ChooseContextDialog {
    showChooseContextDialog(withContent: content, delegate: delegate)
  }

  /// Returns a dialog to show; nil without a delegate or a player.
  public static func createContextDialog(
    withContent content: CreateContextContent, delegate: (any ContextDialogDelegate)?
  ) -> CreateContextDialog? {
    delegate.flatMap { try? dialog(content, $0) }
  }

  /// Returns a dialog to show; nil without a delegate or a player.
  public static func switchContextDialog(
    withContent content: SwitchContextContent, delegate: (any ContextDialogDelegate)?
  ) -> SwitchContextDialog? {
    delegate.flatMap { try? dialog(content, $0) }
  }

  private static func error(of show: (ContextDialogPresenter) throws -> Void) -> NSError? {
    do { try show(ContextDialogPresenter()) } catch {
      return GamingServicesError(
        .notAuthenticated, "A player has to be signed in before the dialog is shown.")
    }
    return nil
  }
}
