import Dialogs
import TerminalDialogs

/// Shows one dialog with made-up players, and prints what was chosen: for tests in a
/// pseudo-terminal, and for whoever wants to see the dialogs.
@main
struct SampleMain {
  @MainActor
  static func main() async throws {
    let presenter = TerminalPresenter()
    switch CommandLine.arguments.dropFirst().first {
    case "context":
      let pages = DialogPages(contexts)
      print("chosen:", try await presenter.chooseContext(ContextChoice(pages))?.identifier ?? "-")
    case "recipients":
      let draft = RequestDraft(title: "Puzzle", message: "Come and play!", callToAction: "")
      let selection = RecipientSelection(draft, countMax: 3, friends: friends)
      print("chosen:", try await presenter.selectRecipients(selection) ?? ["-"])
    case "confirm":
      let draft = RequestDraft(
        title: "", message: "Your turn!", callToAction: "Play", recipients: ["a", "b"])
      print("chosen:", try await presenter.confirmRequest(draft))
    case "match":
      let arrangement = MatchArrangement(
        players: 2...4, message: "Join me", suggested: ["p1"], friends: friends)
      print("chosen:", try await presenter.arrangeMatch(arrangement).map { "\($0)" } ?? "-")
    case "search":
      let (states, ending) = AsyncStream.makeStream(of: MatchSearch.State.self)
      ending.yield(
        .init(answers: ["p1": .init(name: "Ben", answer: "accepted")], usualWait: .seconds(12)))
      try await presenter.showSearch(MatchSearch(states))
      print("closed")
    case "challenge":
      let draft = ChallengeDraft(
        subject: "High score 42", message: "Beat me", selected: ["p2"], friends: friends)
      print("chosen:", try await presenter.composeChallenge(draft).map { "\($0)" } ?? "-")
    default:
      print("usage: dialog-sample context|recipients|confirm|match|search|challenge")
    }
  }

  private static let names =
    ["Ada", "Ben", "Cleo", "松本 さくら", "Zoe\u{308} 👩‍👩‍👧", "Evil\u{1b}[31mName"]
    + (7...60).map { "Player \($0)" }

  private static let contexts = [
    ContextItem(identifier: "c1", size: 2, playerNames: ["Ben"]),
    ContextItem(identifier: "c2", size: 1),
    ContextItem(identifier: "c3", size: 12, playerNames: names),
  ]

  /// Pages of ten.
  @MainActor private static func friends(_ search: String) -> DialogPages<FriendItem> {
    var rest = names.enumerated().map { index, name in
      FriendItem(playerID: "p\(index + 1)", displayName: name, isSuggested: index == 0)
    }.filter { search.isEmpty || $0.displayName.lowercased().contains(search.lowercased()) }[...]
    return DialogPages {
      defer { rest = rest.dropFirst(10) }
      return rest.isEmpty ? nil : Array(rest.prefix(10))
    }
  }
}
