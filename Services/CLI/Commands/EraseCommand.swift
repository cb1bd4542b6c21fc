import MusterKit

/// `muster erase`: nothing personal is left of a player, in any service.
enum EraseCommand {
  private static let confirmation = Command.Option(
    "yes", nil, "Required: nothing brings an erased player back.")
  private static let unknown = Command.Option(
    "unknown", nil,
    "Erase what other services keep of one whom the request service does not know, too.")

  static let all = [
    Command(
      "erase", "PLAYER", "erase a player from all services, for good (operator)",
      [confirmation, unknown]
    ) { session in
      let player = try session.player(session.word(0, "PLAYER"))
      try check(session)
      let evenIfUnknown = session.arguments.has(unknown.name)
      try await session.asOperator { try await $0.erase(player, evenIfUnknown: evenIfUnknown) }
      session.output.show(.object([.init(name: "erased", value: .text("\(player)"))]))
    },
    Command(
      "erase-myself", "", "erase the player of this machine from all services, for good",
      [confirmation]
    ) { session in
      try check(session)
      let player = try await session.asPlayer { client in
        let player = client.session?.player
        try await client.eraseMyself()
        return player
      }
      // The credential is good for nothing any more.
      try session.players.remove(session.playerName)
      session.output.show(
        .object([.init(name: "erased", value: player.map { .text("\($0)") } ?? .null)]))
    },
  ]

  private static func check(_ session: Session) throws {
    if session.arguments.has("yes") { return }
    throw UsageError.missing("Nothing brings an erased player back; repeat the command with --yes.")
  }
}
