public import Dialogs
internal import Terminal

/// Shows a game's dialogs on the terminal of its process: lists that are searched as the player
/// types, with arrow keys, Enter and Escape. Needs no more than 40 columns and 12 lines.
///
/// Where the process has no terminal, a dialog fails with `NoTerminal`.
@MainActor
public final class TerminalPresenter: DialogPresenter {
  /// Why a dialog could not be shown.
  public struct NoTerminal: Error, CustomStringConvertible {
    public var description: String { "There is no terminal to show the dialog on." }
  }

  private let paint: Paint

  /// - Parameter isColoured: whether weights and colours may be used.
  public init(isColoured: Bool = true) { paint = Paint(isOn: isColoured) }

  public func chooseContext(_ choice: ContextChoice) async throws -> ContextItem? {
    var known: [String: ContextItem] = [:]
    let chosen = try await withScreen {
      await $0.choose(Choices("Choose a context", .one, canSearch: false)) { _ in
        choice.contexts.map { item in
          known[item.identifier] = item
          return item.row
        }
      }
    }
    return chosen?.first.flatMap { known[$0] }
  }

  public func selectRecipients(_ selection: RecipientSelection) async throws -> [String]? {
    let title = selection.request.title.isEmpty ? "To whom?" : selection.request.title
    let choices = Choices(
      "\(title): \(selection.request.message)", .several(countMax: selection.countMax),
      canSearch: true)
    return try await withScreen { await $0.choose(choices) { selection.friends($0).map(\.row) } }
  }

  public func confirmRequest(_ request: RequestDraft) async throws -> Bool {
    let line = TextLine(
      request.title.isEmpty ? "Send this?" : request.title,
      details: [request.message, "", "To \(request.recipients.count)"], text: nil,
      verb: request.callToAction.isEmpty ? "send" : request.callToAction)
    return try await withScreen { await $0.edit(line) } != nil
  }

  public func arrangeMatch(_ arrangement: MatchArrangement) async throws
    -> MatchArrangement.Choice?
  {
    try await withScreen { screen in
      let (least, most) = (arrangement.players.lowerBound, arrangement.players.upperBound)
      let title = least == most ? "A match of \(least)" : "A match of \(least) to \(most)"
      let ways = [
        Choices.Row(id: "anybody", name: "Play with anybody"),
        Choices.Row(id: "friends", name: "Invite friends"),
      ]
      let way = await screen.choose(Choices(title, .one, canSearch: false)) { _ in
        DialogPages(ways)
      }
      guard let way = way?.first else { return nil }
      if way == "anybody" { return .anybody }
      let friends = Choices(
        "Whom to invite?", .several(countMax: most - 1), canSearch: true,
        marked: arrangement.suggested)
      guard let chosen = await screen.choose(friends, { arrangement.friends($0).map(\.row) }),
        let message = await screen.edit(
          TextLine("What to tell them?", text: arrangement.message, verb: "invite"))
      else { return nil }
      return .friends(chosen, message: message)
    }
  }

  public func showSearch(_ search: MatchSearch) async throws {
    try await withScreen { await $0.watch(search) }
  }

  public func composeChallenge(_ draft: ChallengeDraft) async throws -> ChallengeDraft.Choice? {
    try await withScreen { screen in
      let choices = Choices(
        "Whom to challenge: \(draft.subject)", .several(countMax: Self.challengedMax),
        canSearch: true, marked: draft.selected)
      guard let chosen = await screen.choose(choices, { draft.friends($0).map(\.row) }),
        let message = await screen.edit(
          TextLine("What to tell them?", text: draft.message, verb: "challenge"))
      else { return nil }
      return ChallengeDraft.Choice(playerIDs: chosen, message: message)
    }
  }

  /// Each is a call of its own, and a player looks at the list before they are made.
  private static let challengedMax = 50

  private func withScreen<Value: Sendable>(
    _ body: @MainActor (TerminalScreen) async -> Value
  ) async throws -> Value {
    guard let screen = await TerminalScreen.open(paint: paint) else { throw NoTerminal() }
    defer { screen.close() }
    return await body(screen)
  }
}

extension FriendItem {
  fileprivate var row: Choices.Row {
    Choices.Row(id: playerID, name: displayName, detail: isSuggested ? "suggested" : "")
  }
}

extension ContextItem {
  fileprivate var row: Choices.Row {
    let players = size == 1 ? "1 player" : "\(size) players"
    let names = playerNames.joined(separator: ", ")
    return Choices.Row(
      id: identifier, name: names.isEmpty ? identifier : names, detail: players)
  }
}
