/// Shows a game's dialogs, and tells what the player has chosen.
///
/// Each method shows one dialog and returns what the player has chosen; nil when the player closes
/// it. It may take as long as the library lets players take. The task is cancelled when the dialog
/// is no longer wanted: the presenter takes it from the screen, and what it returns is not heard.
///
/// A presenter shows dialogs in a terminal, in a web view, or on the game's own screen; one for
/// tests and bots answers by itself (`ScriptedPresenter`).
@preconcurrency @MainActor
public protocol DialogPresenter: AnyObject {
  func chooseContext(_ choice: ContextChoice) async throws -> ContextItem?
  /// Returns the chosen friends' ids.
  func selectRecipients(_ selection: RecipientSelection) async throws -> [String]?
  /// Shows a request whose recipients the game has named. Returns whether to send it.
  func confirmRequest(_ request: RequestDraft) async throws -> Bool
  /// Shows with whom a match may be played, before it is looked for.
  func arrangeMatch(_ arrangement: MatchArrangement) async throws -> MatchArrangement.Choice?
  /// Shows that a match is being looked for, until the task is cancelled because there is one; to
  /// return ends the search.
  func showSearch(_ search: MatchSearch) async throws
  /// Returns whom to challenge, and with which words.
  func composeChallenge(_ draft: ChallengeDraft) async throws -> ChallengeDraft.Choice?
}
