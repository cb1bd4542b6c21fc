import MusterKit

enum PlayerCommands {
  static let all = [
    Command("signup", "DISPLAY-NAME", "make a player and keep its credential here", run: signUp),
    Command("whoami", "", "the player that commands act as") { session in
      let name = try await session.asPlayer { client in
        var profile = GetProfile()
        profile.player = client.session?.player ?? PlayerID()
        return try await client.call(profile)
      }
      session.output.show(name)
    },
    Command("profile show", "PLAYER...", "players' profiles", run: showProfiles),
    Command(
      "profile set", "[DISPLAY-NAME]", "change what others may know of the player",
      [
        .init("alias", "ALIAS", "A name to be known by besides; the empty one takes it away."),
        .init(
          "presence", "YES-OR-NO", "Whether friends are told when the player comes and goes.",
          choices: ["yes", "no"]),
      ]
    ) { session in
      var operation = SetProfile()
      operation.displayName = session.optionalWord(0) ?? ""
      operation.alias = session.arguments["alias"]
      operation.showsPresence = try session.isYes("presence")
      try await session.show(operation)
    },
  ]

  private static func showProfiles(_ session: Session) async throws {
    _ = try session.word(0, "PLAYER")
    let players = try session.arguments.words.map { text in try session.player(text) }
    if players.count == 1 {
      var operation = GetProfile()
      operation.player = players[0]
      return try await session.show(operation)
    }
    var reply = GetProfiles.Reply()
    reply.profiles = try await session.asPlayer { try await $0.profiles(of: players) }
    session.output.show(reply)
  }

  private static func signUp(_ session: Session) async throws {
    if try session.players.load(session.playerName) != nil {
      throw UsageError.missing(
        "A player is stored as \(session.players.place(session.playerName)) already; choose "
          + "another --as NAME.")
    }
    let name = try session.word(0, "DISPLAY-NAME")
    let client = session.anonymousClient()
    let credential = try await session.players.store({ $0 }, as: session.playerName) {
      try await client.signUp(displayName: name)
    }
    await client.close()
    session.output.show(
      .object([
        .init(name: "player", value: .text(credential.player.description)),
        .init(name: "displayName", value: .text(name)),
        .init(name: "storedAs", value: .text(session.playerName)),
      ]))
  }
}
