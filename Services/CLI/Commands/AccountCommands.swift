import MusterKit

/// Identities, devices, sessions and bans.
enum AccountCommands {
  private static let proof: [Command.Option] = [
    .init("attempt", "FILE", "The file that `muster identity nonce` has put the attempt into."),
    .init("nonce", "NONCE", "The nonce that it has printed, where the provider's tokens have one."),
  ]

  static let all = [
    Command(
      "identity nonce", "ATTEMPT-FILE",
      "begin an attempt with a provider whose tokens have a nonce, and keep it in a file"
    ) { session in
      let path = try session.word(0, "ATTEMPT-FILE")
      let client = session.anonymousClient()
      let attempt = try await client.beginIdentity()
      await client.close()
      try session.write(attempt.number.description, toSecretFile: path)
      session.output.show(
        .object([
          .init(name: "nonce", value: .text(attempt.nonce)),
          .init(name: "hashedNonce", value: .text(attempt.hashedNonce)),
        ]))
    },
    Command(
      "identity signup", "PROVIDER TOKEN-FILE DISPLAY-NAME",
      "sign up, or sign this device in, by a provider's token, and keep the credential here",
      proof + [.init("device", "NAME", "What the list of devices calls this one.")], run: signUp),
    Command("identity list", "", "the identities that the player can sign in with") { session in
      try await session.show(ListIdentities())
    },
    Command(
      "identity link", "PROVIDER TOKEN-FILE", "link an identity to the player",
      proof + [.init("moves-from", "PLAYER", "Take it from this player.")]
    ) { session in
      var operation = LinkIdentity()
      operation.proof = try proof(session)
      if let player = session.arguments["moves-from"] {
        operation.movesFrom = try session.player(player)
      }
      try await session.show(operation)
    },
    Command("identity unlink", "IDENTITY", "take an identity off the player") { session in
      var operation = UnlinkIdentity()
      operation.identity = try session.identifier(session.word(0, "IDENTITY"), "IDENTITY")
      try await session.show(operation)
    },
    Command("session list", "", "the player's devices, and the sessions that are kept") {
      session in
      try await session.show(ListSessions())
    },
    Command("session end", "SESSION", "end another session of the player") { session in
      try await session.show(
        EndSession(session: session.integer(session.word(0, "SESSION"), "SESSION")))
    },
    Command("session remove-device", "DEVICE", "take the credential from another device") {
      session in
      try await session.show(
        EndSession(device: session.identifier(session.word(0, "DEVICE"), "DEVICE")))
    },
    Command("session end-others", "", "sign out everywhere but here") { session in
      try await session.show(SignOutEverywhere())
    },
    Command(
      "ban", "PLAYER", "keep a player out of the game (operator)",
      [
        .init("until", "DATE", "When the ban ends; for good without it."),
        .init("reason", "TEXT", "A sentence that the player is told."),
        .init("everywhere", nil, "Out of all games."),
      ]
    ) { session in
      var operation = BanPlayer()
      operation.player = try session.player(session.word(0, "PLAYER"))
      if let date = session.arguments["until"] {
        operation.until = try session.date(date, "--until")
      }
      operation.reason = session.arguments["reason"] ?? ""
      let ban = operation
      let reply = try await session.asOperator(game: game(session)) { try await $0.call(ban) }
      session.output.show(reply)
    },
    Command(
      "unban", "PLAYER", "end a ban (operator)",
      [.init("everywhere", nil, "End the ban from all games.")]
    ) { session in
      var operation = LiftBan()
      operation.player = try session.player(session.word(0, "PLAYER"))
      let lift = operation
      let reply = try await session.asOperator(game: game(session)) { try await $0.call(lift) }
      session.output.show(reply)
    },
  ]

  private static func game(_ session: Session) -> String? {
    session.arguments.has("everywhere") ? "" : nil
  }

  private static func proof(_ session: Session) throws -> IdentityProof {
    let provider = try session.word(0, "PROVIDER")
    let token = try session.text(ofFile: session.word(1, "TOKEN-FILE")).trimmed
    var proof = IdentityAttempt().proof(provider: provider, token: token)
    if let attempt = session.arguments["attempt"] {
      proof.attempt = try session.identifier(session.text(ofFile: attempt).trimmed, "--attempt")
    }
    proof.nonce = session.arguments["nonce"] ?? ""
    return proof
  }

  private static func signUp(_ session: Session) async throws {
    if try session.players.load(session.playerName) != nil {
      throw UsageError.missing(
        "A player is stored as \(session.players.place(session.playerName)) already; choose "
          + "another --as NAME.")
    }
    let proof = try proof(session)
    let name = try session.word(2, "DISPLAY-NAME")
    let client = session.anonymousClient()
    let found = try await session.players.store(\.credential, as: session.playerName) {
      try await client.signUp(
        with: proof, displayName: name, deviceName: session.arguments["device"] ?? "")
    }
    await client.close()
    session.output.show(
      .object([
        .init(name: "player", value: .text(found.credential.player.description)),
        .init(name: "isNew", value: .text(found.isNew ? "yes" : "no")),
        .init(name: "storedAs", value: .text(session.playerName)),
      ]))
  }
}
