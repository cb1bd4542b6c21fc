import MusterKit

/// The commands for those who run a deployment or develop a game.
enum OperatorCommands {
  static let all = [
    Command(
      "apply", "FILE",
      "declare a game, its leaderboards, their sets, achievements and queues from a JSON file "
        + "(operator)",
      run: apply
    ),
    Command(
      "game declare", "NAME", "declare a game, so that players can sign in to it (operator)"
    ) { session in
      let game = try session.word(0, "NAME")
      if session.arguments.has("game") {
        throw UsageError("`muster game declare` takes the game as NAME, and no --game.")
      }
      try await session.asOperator(game: game) { try await declare(game, $0, session) }
    },
    Command(
      "status", "", "the state of the gateway and of every service's process (operator)"
    ) { session in
      let reply = try await session.asOperator { try await $0.call(DeploymentStatus()) }
      session.output.show(reply)
      let silent = reply.processes.filter(\.version.isEmpty)
      for process in silent {
        session.output.note("\(process.name) \(process.partition) did not answer")
      }
      if !silent.isEmpty { throw Unanswered(count: silent.count) }
    },
    Command("credential", "", "the credential of the game's own server (operator)") { session in
      var operation = GameServerCredential()
      operation.game = session.settings.configuration.game
      let credential = operation
      let reply = try await session.asOperator { try await $0.call(credential) }
      session.output.show(reply)
    },
    Command(
      "board remove", "BOARD PLAYER", "remove a player's score (operator)",
      [.init("fall-back", nil, "Take the player's next best kept attempt in its place.")]
    ) { session in
      var operation = RemoveScore()
      operation.board = try session.word(0, "BOARD")
      operation.fallsBack = session.arguments.has("fall-back")
      operation.player = try session.player(session.word(1, "PLAYER"))
      let removal = operation
      let reply = try await session.asOperator { try await $0.call(removal) }
      session.output.show(reply)
    },
    Command(
      "board rerank", "BOARD",
      "rank a board anew by other rules; `muster board show` tells how far it is (operator)",
      [
        .init("sort-order", "ORDER", "Which value is better.", choices: ScoreOrder.names),
        .init("tie-rule", "RULE", "The ranks of equal values.", choices: ScoreTieRule.names),
        .init(
          "aggregation", "AGGREGATION", "How a player's attempts become one score.",
          choices: ScoreAggregation.names),
      ]
    ) { session in
      var operation = ReRankLeaderboard()
      operation.board = try session.word(0, "BOARD")
      operation.sortOrder = try session.named("sort-order")
      operation.tieRule = try session.named("tie-rule")
      operation.aggregation = try session.named("aggregation")
      let ranking = operation
      if ranking.sortOrder == nil, ranking.tieRule == nil, ranking.aggregation == nil {
        throw UsageError("A re-rank needs --sort-order, --tie-rule or --aggregation.")
      }
      let reply = try await session.asOperator { try await $0.call(ranking) }
      session.output.show(reply)
      if reply.reRank == nil {
        session.output.note("\(ranking.board) is ranked by these rules already")
      }
    },
    Command(
      "board restrict", "BOARD PLAYER \(PlayerRestriction.names.joined(separator: "|"))",
      "quarantine or release a player's score, ban or unban the player (operator)"
    ) { session in
      var operation = RestrictPlayer()
      operation.board = try session.word(0, "BOARD")
      operation.player = try session.player(session.word(1, "PLAYER"))
      operation.restriction = try session.named(
        session.word(2, "The restriction"), "The restriction")
      let restricting = operation
      let reply = try await session.asOperator { try await $0.call(restricting) }
      session.output.show(reply)
    },
  ]

  /// Everything was told; what is left is how the command ends.
  struct Unanswered: Error {
    /// How many processes did not answer.
    var count: Int
  }

  private static func apply(_ session: Session) async throws {
    let file = try DeclarationFile(path: session.word(0, "FILE"))
    let game = session.arguments["game"] ?? file.game ?? session.settings.configuration.game
    try await session.asOperator(game: game) { client in
      do {
        try await declare(game, client, session)
      } catch let error as MusterError where error.failure.isLeftOut {
        session.output.note("\(game) is not declared: \(error.text)")
      }
      for definition in file.leaderboards {
        var operation = DefineLeaderboard()
        operation.definition = definition
        let reply = try await client.call(operation)
        show("board", definition.board, reply.change, session)
      }
      for definition in file.leaderboardSets {
        var operation = DefineLeaderboardSet()
        operation.definition = definition
        let reply = try await client.call(operation)
        show("set", definition.set, reply.change, session)
      }
      for definition in file.achievements {
        var operation = DefineAchievement()
        operation.definition = definition
        let reply = try await client.call(operation)
        show("achievement", definition.achievement, reply.change, session)
      }
      for definition in file.queues {
        var operation = DefineQueue()
        operation.definition = definition
        let reply = try await client.call(operation)
        show("queue", definition.playerGroup, reply.change, session)
      }
    }
  }

  /// Declares the game that the operator has signed in for.
  private static func declare(_ game: String, _ client: MusterClient, _ session: Session)
    async throws
  {
    let reply = try await client.call(DeclareGame())
    show("game", game, reply.change, session)
  }

  private static func show(
    _ kind: String, _ name: String, _ change: DefinitionChange, _ session: Session
  ) {
    session.output.show(
      .object([
        .init(name: kind, value: .text(name)),
        .init(name: "change", value: .text(change.description)),
      ]))
  }
}
