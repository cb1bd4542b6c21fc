import MusterKit
import Wire

/// `muster turns ...`: states and moves are text here; any bytes go over the protocol.
enum TurnCommands {
  static let all = games + moves + talk

  private static let number = Command.Option(
    "number", "NUMBER", "The game's number in its context (default the last one).")
  private static let state = Command.Option("state", "TEXT", "The public state.")
  private static let hidden = Command.Option("hidden", "TEXT", "The player's hidden state.")
  private static let next = Command.Option(
    "next", "PLAYER", "Who gets the turn; several times for who comes after that.")

  // MARK: Games

  private static let outcomeNames = TurnOutcome.names.dropFirst().joined(separator: ", ")

  private static let games = [
    Command(
      "turns start", "CONTEXT PLAYER...",
      "start a turn-based game in a context; whoever starts it has the first turn",
      [
        state, .init("sealed", nil, "Rounds of sealed moves, in place of turns."),
        .init("spectators", nil, "Players of the context may watch."),
        .init("no-undo", nil, "Moves cannot be taken back."),
        .init("timeout", "SECONDS", "How long a turn may take (default a week)."),
        .init("move-clock", "SECONDS", "Who takes longer for a move is out."),
        .init("game-clock", "SECONDS", "Who takes longer for all moves together is out."),
        .init("rematch-of", "NUMBER", "The game that this one is the rematch of."),
      ], run: start),
    Command("turns join", "CONTEXT", "take part in a game", [number]) { session in
      try await answer(session, accept: true)
    },
    Command("turns decline", "CONTEXT", "decline a game", [number]) { session in
      try await answer(session, accept: false)
    },
    Command("turns read", "CONTEXT", "a game with its state", [number]) { session in
      var operation = ReadTurnGame()
      operation.context = try session.context()
      operation.number = try session.number("number") ?? 0
      try await session.show(operation)
    },
    Command("turns state", "CONTEXT MOVE", "the public state as it was after a move", [number]) {
      session in
      var operation = ReadTurnState()
      operation.context = try session.context()
      operation.number = try session.number("number") ?? 0
      operation.move = try session.integer(session.word(1, "MOVE"), "MOVE")
      try await session.show(operation)
    },
    Command(
      "turns list", "", "the player's games that wait for the player",
      [.cursor, .init("all", nil, "All that are under way.")]
    ) { session in
      var operation = ListTurnGames()
      operation.filter = session.arguments.has("all") ? .all : .waiting
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
    Command("turns quit", "CONTEXT", "leave a game", [number, next]) { session in
      try await session.change(QuitTurnGame()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.next = try session.nextPlayers()
      }
    },
    Command(
      "turns end", "CONTEXT PLAYER=OUTCOME...",
      "end a game with an outcome for each player: \(outcomeNames)",
      [number, state], run: end),
    Command(
      "turns fork", "CONTEXT MOVES PLAYER...",
      "play on from an earlier move in a new context, with a player for each seat", [number]
    ) { session in
      try await session.change(ForkTurnGame()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.move = try session.integer(session.word(1, "MOVES"), "MOVES")
        operation.players = try session.arguments.words.dropFirst(2).map { try session.player($0) }
      }
    },
  ]

  // MARK: Moves

  private static let moves = [
    Command(
      "turns move", "CONTEXT MOVE", "make a move and pass the turn on",
      [
        number, state, hidden, next,
        .init("version", "VERSION", "The version that the move is for (default the last one)."),
      ]
    ) { session in
      try await session.change(MakeMove()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.version = try session.number("version") ?? game.version
        operation.payload = Bytes(Array(try session.word(1, "MOVE").utf8))
        operation.state = session.bytes("state")
        operation.hidden = session.bytes("hidden")
        operation.next = try session.nextPlayers()
      }
    },
    Command("turns save", "CONTEXT", "change the state and keep the turn", [number, state, hidden])
    { session in
      try await session.change(SaveTurnState()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.version = game.version
        operation.state = session.bytes("state")
        operation.hidden = session.bytes("hidden")
        let isResolved = { (exchange: TurnExchange) in exchange.isComplete }
        operation.resolved = game.exchanges.filter(isResolved).map(\.id)
      }
    },
    Command("turns seal", "CONTEXT MOVE", "seal a move for the open round", [number, hidden]) {
      session in
      try await session.change(SealMove()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.round = game.round
        operation.payload = Bytes(Array(try session.word(1, "MOVE").utf8))
        operation.hidden = session.bytes("hidden")
      }
    },
    Command(
      "turns moves", "CONTEXT", "the moves of a game, 64 at a time",
      [number, .init("from", "INDEX", "The first move (default 1).")]
    ) { session in
      var operation = ReadMoves()
      operation.context = try session.context()
      operation.number = try session.number("number") ?? 0
      operation.from = try session.number("from") ?? 1
      try await session.show(operation)
    },
    Command(
      "turns foresee", "CONTEXT [EXPECTED MOVE]...",
      "play MOVE at once when EXPECTED is the move before; without any, takes all back", [number]
    ) { session in
      try await session.change(SetConditionalMoves()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.version = game.version
        let words = session.arguments.words.dropFirst().map { Bytes(Array($0.utf8)) }
        guard words.count % 2 == 0 else {
          throw UsageError("Moves come in pairs: EXPECTED, then MOVE.")
        }
        operation.lines = stride(from: 0, to: words.count, by: 2).map { index in
          var step = ConditionalStep()
          (step.expected, step.payload) = (words[index], words[index + 1])
          var line = ConditionalLine()
          line.steps = [step]
          return line
        }
      }
    },
  ]

  // MARK: Talk

  private static let talk = [
    Command("turns undo", "CONTEXT MOVES", "propose to go back to so many moves", [number]) {
      session in
      try await session.change(ProposeTurnChange()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.kind = .undo
        operation.move = try session.integer(session.word(1, "MOVES"), "MOVES")
      }
    },
    Command("turns pause", "CONTEXT", "propose to stop the clocks", [number]) { session in
      try await session.change(ProposeTurnChange()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.kind = .pause
      }
    },
    Command("turns agree", "CONTEXT yes|no", "answer what another player proposes", [number]) {
      session in
      try await session.change(AnswerTurnProposal()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.proposal = game.proposal?.id ?? 0
        operation.accept = try session.isYes(1)
      }
    },
    Command("turns resume", "CONTEXT", "end a pause", [number]) { session in
      try await session.change(ResumeTurnGame()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
      }
    },
    Command(
      "turns exchange", "CONTEXT TEXT PLAYER...",
      "ask players something out of turn, such as a trade",
      [number]
    ) { session in
      try await session.change(OpenTurnExchange()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.payload = Bytes(Array(try session.word(1, "TEXT").utf8))
        operation.players = try session.arguments.words.dropFirst(2).map { try session.player($0) }
      }
    },
    Command("turns reply", "CONTEXT EXCHANGE TEXT", "answer an exchange", [number]) { session in
      try await session.change(AnswerTurnExchange()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.exchange = try session.integer(session.word(1, "EXCHANGE"), "EXCHANGE")
        operation.payload = Bytes(Array(try session.word(2, "TEXT").utf8))
      }
    },
    Command("turns heard", "CONTEXT EXCHANGE", "read an exchange", [number]) {
      session in
      try await session.change(ReadTurnExchange()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.exchange = try session.integer(session.word(1, "EXCHANGE"), "EXCHANGE")
      }
    },
    Command("turns cancel", "CONTEXT EXCHANGE", "take an exchange back", [number]) { session in
      try await session.change(CancelTurnExchange()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.exchange = try session.integer(session.word(1, "EXCHANGE"), "EXCHANGE")
      }
    },
    Command("turns remind", "CONTEXT PLAYER...", "remind players of a game", [number]) { session in
      try await session.change(RemindPlayers()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.players = try session.arguments.words.dropFirst().map { try session.player($0) }
      }
    },
    Command(
      "turns watch", "CONTEXT", "watch a game", [number, .init("stop", nil, "Watch no more.")]
    ) { session in
      try await session.change(SpectateTurnGame()) { operation, game in
        (operation.context, operation.number) = (game.context, game.number)
        operation.isWatching = !session.arguments.has("stop")
      }
    },
  ]

  // MARK: Longer ones

  private static func start(_ session: Session) async throws {
    var operation = StartTurnGame()
    operation.context = try session.context()
    operation.state = session.bytes("state") ?? Bytes()
    operation.options.hasSealedRounds = session.arguments.has("sealed")
    operation.options.allowsSpectators = session.arguments.has("spectators")
    operation.options.allowsUndo = !session.arguments.has("no-undo")
    if let time = try session.milliseconds("timeout") {
      operation.options.turnTimeoutMilliseconds = time
    }
    operation.options.moveClockMilliseconds = try session.milliseconds("move-clock") ?? 0
    operation.options.playerClockMilliseconds = try session.milliseconds("game-clock") ?? 0
    operation.rematchOf = try session.number("rematch-of") ?? 0
    let others = try session.arguments.words.dropFirst().map { try session.player($0) }
    let request = operation
    try await session.asPlayer { client in
      var operation = request
      let own = client.session?.player
      operation.players = (own.map { [$0] } ?? []) + others.filter { $0 != own }
      session.output.show(try await client.call(operation))
    }
  }

  private static func answer(_ session: Session, accept: Bool) async throws {
    try await session.change(AnswerTurnGame()) { operation, game in
      (operation.context, operation.number) = (game.context, game.number)
      operation.accept = accept
    }
  }

  private static func end(_ session: Session) async throws {
    try await session.change(EndTurnGame()) { operation, game in
      (operation.context, operation.number) = (game.context, game.number)
      operation.version = game.version
      operation.state = session.bytes("state")
      operation.outcomes = try session.arguments.words.dropFirst().map { word in
        let parts = word.split(separator: "=").map(String.init)
        guard parts.count == 2, let outcome = TurnOutcome(named: parts[1]) else {
          throw UsageError("An outcome is PLAYER=OUTCOME, with one of \(outcomeNames).")
        }
        var given = TurnSeatOutcome()
        (given.player, given.outcome) = (try session.player(parts[0]), outcome)
        return given
      }
    }
  }
}

extension Session {
  fileprivate func number<Value: FixedWidthInteger>(_ option: String) throws(UsageError) -> Value? {
    guard let text = arguments[option] else { return nil }
    return try integer(text, "--\(option)")
  }

  fileprivate func milliseconds(_ option: String) throws(UsageError) -> Int64? {
    let seconds: UInt32? = try number(option)
    return seconds.map { Int64($0) * 1000 }
  }

  fileprivate func bytes(_ option: String) -> Bytes? {
    arguments[option].map { Bytes(Array($0.utf8)) }
  }

  fileprivate func nextPlayers() throws -> [PlayerID] {
    try arguments.all("next").map { try player($0) }
  }

  /// Looks at the game as it is, makes the call for that, and shows the reply.
  fileprivate func change<O: MusterKit.Operation>(
    _ operation: O, _ fill: (inout O, TurnGameInfo) throws -> Void
  ) async throws {
    let context = try context()
    let number: UInt32 = try self.number("number") ?? 0
    try await asPlayer { client in
      let game = try await client.turns(in: context).read(number).info
      var operation = operation
      try fill(&operation, game)
      output.show(try await client.call(operation))
    }
  }
}
