import MusterKit

extension ContextInfo {
  fileprivate static var columns: [Column<Self>] {
    [
      .text("name", \.name), .state("form", \.form), .number("players", \.size),
      .names("with") { $0.players.filter(\.isThere).map(\.player) },
      .number("challenges") { $0.openChallenges == 0 ? nil : $0.openChallenges },
      .date("last active", \.lastActiveAt), .id("context") { $0.context },
    ]
  }
}

extension ContextPlayer {
  fileprivate var isThere: Bool { state == .active || state == .invited }
}

extension ContextInfo: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "players", empty: "no players", \.players,
        [
          .name { $0.player }, .state("role", \.role), .state("state", \.state),
          .flag("new", \.isNew), .id("player") { $0.player },
        ])
    ]
  }
}

extension ListContexts.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "contexts", empty: "no contexts yet; `muster context with PLAYER` creates one", \.contexts,
        ContextInfo.columns)
    ]
  }
}

extension ChooseContexts.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "contexts", empty: "no contexts that the filter lets through", \.contexts,
        ContextInfo.columns)
    ]
  }
}

extension SuggestContexts.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing("contexts", empty: "no groups of friends to join", \.contexts, ContextInfo.columns),
      Listing(
        "friends", empty: "no friends to begin a context with", \.friends,
        [.name { $0 }, .id("player") { $0 }]),
    ]
  }
}

extension ListTurnGames.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "games", empty: "no games; `muster turns list --all` shows those that wait for others too",
        \.games,
        [
          .number("game", \.number), .flag("your turn", \.isWaiting),
          .flag("invited", \.isInvited), .date("since", \.since), .id("context") { $0.context },
        ])
    ]
  }
}

extension ReadMoves.Reply: Listed {
  static var listings: [Listing<Self>] {
    [
      Listing(
        "moves", empty: "no moves yet", \.moves,
        [
          .number("move", \.index), .state("kind", \.kind), .name { $0.player },
          .text("payload") { PayloadText.of($0.payload) }, .date("time", \.time),
          .id("player") { $0.player },
        ])
    ]
  }
}

/// Bytes of the game's own, as the text that they are mostly.
enum PayloadText {
  static func of(_ bytes: Bytes) -> String {
    String(validating: bytes.array, as: UTF8.self) ?? Base64.text(bytes.array)
  }
}
