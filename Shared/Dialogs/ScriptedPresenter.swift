/// A presenter that answers by itself, for tests and bots. A dialog whose closure is nil is closed
/// as soon as it is shown, and a search is left alone until it ends.
@preconcurrency @MainActor
public final class ScriptedPresenter: DialogPresenter {
  public var contextChoice: ((ContextChoice) async throws -> ContextItem?)?
  public var recipientSelection: ((RecipientSelection) async throws -> [String]?)?
  public var requestConfirmation: ((RequestDraft) async throws -> Bool)?
  public var matchArrangement: ((MatchArrangement) async throws -> MatchArrangement.Choice?)?
  public var matchSearch: ((MatchSearch) async throws -> Void)?
  public var challengeComposition: ((ChallengeDraft) async throws -> ChallengeDraft.Choice?)?

  public init() {}

  public func chooseContext(_ choice: ContextChoice) async throws -> ContextItem? {
    try await contextChoice?(choice)
  }

  public func selectRecipients(_ selection: RecipientSelection) async throws -> [String]? {
    try await recipientSelection?(selection)
  }

  public func confirmRequest(_ request: RequestDraft) async throws -> Bool {
    try await requestConfirmation?(request) ?? false
  }

  public func arrangeMatch(_ arrangement: MatchArrangement) async throws
    -> MatchArrangement.Choice?
  {
    try await matchArrangement?(arrangement)
  }

  public func showSearch(_ search: MatchSearch) async throws {
    if let matchSearch { return try await matchSearch(search) }
    for await _ in search.states {}
  }

  public func composeChallenge(_ draft: ChallengeDraft) async throws -> ChallengeDraft.Choice? {
    try await challengeComposition?(draft)
  }
}
