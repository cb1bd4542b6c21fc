// What players of a turn-based game do beside their moves.
extension TurnGames {
  /// Changes the public state, or the player's hidden one, without a move, and puts the results of
  /// exchanges into it.
  ///
  /// - Parameters:
  ///   - game: the version that the player has seen.
  ///   - state: the public state; nil leaves it.
  ///   - hidden: the player's hidden state; nil leaves it.
  ///   - resolved: complete exchanges, which are over by this.
  public func save(
    in game: TurnGameInfo, state: [UInt8]? = nil, hidden: [UInt8]? = nil, resolved: [UInt32] = []
  ) async throws(MusterError) -> MoveOutcome {
    var operation = SaveTurnState()
    operation.context = context
    operation.number = game.number
    operation.version = game.version
    operation.state = state.map { Bytes($0) }
    operation.hidden = hidden.map { Bytes($0) }
    operation.resolved = resolved
    return try await outcome(operation)
  }

  /// Ends the game, with a last move or without one.
  ///
  /// - Parameters:
  ///   - game: the version that the player has seen.
  ///   - outcomes: one for each player who is still in it.
  ///   - payload: the last move; empty for none.
  ///   - state: the public state at the end; nil leaves it.
  public func end(
    _ game: TurnGameInfo, outcomes: [PlayerID: TurnOutcome], payload: [UInt8] = [],
    state: [UInt8]? = nil
  ) async throws(MusterError) -> MoveOutcome {
    var operation = EndTurnGame()
    operation.context = context
    operation.number = game.number
    operation.version = game.version
    operation.payload = Bytes(payload)
    operation.state = state.map { Bytes($0) }
    operation.outcomes = outcomes.sorted { $0.key < $1.key }.map { player, outcome in
      var given = TurnSeatOutcome()
      (given.player, given.outcome) = (player, outcome)
      return given
    }
    return try await outcome(operation)
  }

  /// Sets moves that the service plays at once when others move as foreseen; an empty list clears
  /// them.
  public func foresee(_ lines: [ConditionalLine], in game: TurnGameInfo)
    async throws(MusterError) -> MoveOutcome
  {
    var operation = SetConditionalMoves()
    operation.context = context
    operation.number = game.number
    operation.version = game.version
    operation.lines = lines
    return try await outcome(operation)
  }

  /// Makes a call for a version of the game, which may have become an older one meanwhile.
  func outcome<O: Operation>(_ operation: O) async throws(MusterError) -> MoveOutcome
  where O.Reply == TurnGameInfo {
    do throws(MusterError) {
      return .made(try await client.call(operation))
    } catch {
      guard let view = error.turnGameView else { throw error }
      return .stale(view)
    }
  }

  // MARK: Proposals

  /// Proposes to go back to the position after move `move`.
  @discardableResult
  public func proposeUndo(_ number: UInt32, to move: UInt32) async throws(MusterError)
    -> TurnGameInfo
  {
    try await propose(number, .undo, move)
  }

  /// Proposes to stop the clocks.
  @discardableResult
  public func proposePause(_ number: UInt32) async throws(MusterError) -> TurnGameInfo {
    try await propose(number, .pause, 0)
  }

  private func propose(_ number: UInt32, _ kind: TurnProposalKind, _ move: UInt32)
    async throws(MusterError) -> TurnGameInfo
  {
    var operation = ProposeTurnChange()
    operation.context = context
    operation.number = number
    operation.kind = kind
    operation.move = move
    return try await client.call(operation)
  }

  /// Agrees to the proposal that `game` shows, or declines it.
  @discardableResult
  public func answerProposal(in game: TurnGameInfo, accept: Bool) async throws(MusterError)
    -> TurnGameInfo
  {
    var operation = AnswerTurnProposal()
    operation.context = context
    operation.number = game.number
    operation.proposal = game.proposal?.id ?? 0
    operation.accept = accept
    return try await client.call(operation)
  }

  /// Ends a pause.
  @discardableResult
  public func resume(_ number: UInt32) async throws(MusterError) -> TurnGameInfo {
    var operation = ResumeTurnGame()
    operation.context = context
    operation.number = number
    return try await client.call(operation)
  }

  // MARK: Exchanges

  /// Asks other players something, such as a trade.
  public func ask(
    _ players: [PlayerID], _ payload: [UInt8], in number: UInt32,
    lifetimeMilliseconds: Int64 = TurnLimits.exchangeMilliseconds
  ) async throws(MusterError) -> OpenTurnExchange.Reply {
    var operation = OpenTurnExchange()
    operation.context = context
    operation.number = number
    operation.players = players
    operation.payload = Bytes(payload)
    operation.lifetimeMilliseconds = lifetimeMilliseconds
    return try await client.call(operation)
  }

  /// The player's answer in an exchange.
  @discardableResult
  public func answerExchange(_ exchange: UInt32, _ payload: [UInt8], in number: UInt32)
    async throws(MusterError) -> TurnGameInfo
  {
    var operation = AnswerTurnExchange()
    operation.context = context
    operation.number = number
    operation.exchange = exchange
    operation.payload = Bytes(payload)
    return try await client.call(operation)
  }

  /// Takes an exchange back that the player has opened.
  @discardableResult
  public func cancelExchange(_ exchange: UInt32, in number: UInt32) async throws(MusterError)
    -> TurnGameInfo
  {
    var operation = CancelTurnExchange()
    operation.context = context
    operation.number = number
    operation.exchange = exchange
    return try await client.call(operation)
  }

  /// What was said in an exchange, as far as the player may know.
  public func readExchange(_ exchange: UInt32, in number: UInt32) async throws(MusterError)
    -> ReadTurnExchange.Reply
  {
    var operation = ReadTurnExchange()
    operation.context = context
    operation.number = number
    operation.exchange = exchange
    return try await client.call(operation)
  }

  // MARK: Reminders, spectators and forks

  /// Reminds players on whom the game waits.
  public func remind(_ players: [PlayerID], in number: UInt32) async throws(MusterError) {
    var operation = RemindPlayers()
    operation.context = context
    operation.number = number
    operation.players = players
    _ = try await client.call(operation)
  }

  /// Watches a game, or stops watching.
  @discardableResult
  public func spectate(_ number: UInt32, isWatching: Bool = true) async throws(MusterError)
    -> TurnGameInfo
  {
    var operation = SpectateTurnGame()
    operation.context = context
    operation.number = number
    operation.isWatching = isWatching
    return try await client.call(operation)
  }

  /// Copies a game, as it was after move `move`, into a new context, and returns the games there.
  ///
  /// - Parameters:
  ///   - number: which of the context's games.
  ///   - move: the last move of the copy; 0 for the start.
  ///   - players: who takes each seat, in the order of the seats.
  public func fork(_ number: UInt32, at move: UInt32, players: [PlayerID])
    async throws(MusterError) -> TurnGames
  {
    var operation = ForkTurnGame()
    operation.context = context
    operation.number = number
    operation.move = move
    operation.players = players
    return TurnGames(client: client, context: try await client.call(operation).context)
  }
}
