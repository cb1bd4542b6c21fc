import Domain
import Operations
import Wire

// Moves, and what is done with the turn.
extension TurnGames {
  func registerMoves(_ router: inout Router) {
    router.on(MakeMove.self, makeMove)
    router.on(SaveTurnState.self, save)
    router.on(EndTurnGame.self, end)
    router.on(SealMove.self, seal)
    router.on(SetConditionalMoves.self, setLines)
  }

  /// The seat of a caller who may change the public state now.
  func seatInTurn(
    _ game: TurnGameRow, _ version: UInt64, _ call: Call, _ transaction: borrowing Transaction
  ) throws(Stop) -> Int {
    let seat = try activeSeat(game, call)
    try expectVersion(version, game, call, transaction)
    try expectPlay(game)
    guard game.mayChange(seat) else { throw .notAllowed("", "It is not your turn.") }
    return seat
  }

  private func makeMove(
    _ operation: MakeMove, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let seat = try seatInTurn(game, operation.version, call, transaction)
    guard !game.isSealed else {
      throw .notAllowed("", "The moves of this game are sealed: send SealMove.")
    }
    let next = try seats(operation.next, "next", of: game)
    try expectRoom(game, 1)
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.play(
      .init(
        payload: operation.payload, state: operation.state, hidden: operation.hidden, next: next),
      seat: seat)
    try playLines(&draft, after: operation.payload, transaction)
    contexts.played(in: game.key, &transaction)
    return commit(draft, &transaction)
  }

  private func expectRoom(_ game: TurnGameRow, _ count: Int) throws(Stop) {
    guard Int(game.moveCount) + count <= TurnLimits.movesMax else {
      throw .limitReached("payload", "A game has at most \(TurnLimits.movesMax) moves.")
    }
  }

  /// Plays what players have foreseen, until one has not.
  private func playLines(
    _ draft: inout TurnDraft, after payload: Bytes, _ transaction: borrowing Transaction
  ) throws(Stop) {
    let waiting = draft.game.seats.indices.filter { draft.game.seats[$0].hasLines }
    let keys = waiting.map { draft.game.key(seat: UInt8($0)) }
    try transaction.fetch(keys.map { .row(TurnLinesRow.self, $0) })
    var last = payload
    for _ in 0..<TurnLimits.playersMax {
      guard let seat = draft.game.holder, draft.game.seats[seat].hasLines else { return }
      let stored = try transaction.row(TurnLinesRow.self, draft.game.key(seat: UInt8(seat)))
      let lines = draft.lines[seat]?.lines ?? stored?.lines ?? []
      let fitting = lines.filter { $0.steps.first?.expected == last }
      guard let step = fitting.first?.steps.first, draft.game.moveCount < TurnLimits.movesMax
      else { return draft.dropLines(of: seat) }
      var kept = fitting.filter { $0.steps.first == step }
      for index in kept.indices { kept[index].steps.removeFirst() }
      draft.keep(kept.filter { !$0.steps.isEmpty }, of: seat)
      draft.play(
        .init(payload: step.payload, state: step.state, kind: .conditional), seat: seat)
      last = step.payload
    }
    if let seat = draft.game.holder { draft.dropLines(of: seat) }
  }

  private func save(
    _ operation: SaveTurnState, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let seat = try seatInTurn(game, operation.version, call, transaction)
    for exchange in operation.resolved
    where !game.exchanges.contains(where: {
      $0.id == exchange && $0.isComplete && game.mayRead($0)(seat)
    }) {
      throw .invalidArgument("resolved", "Exchange \(exchange) is not complete.")
    }
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.save(operation.state, operation.hidden, seat: seat)
    for exchange in operation.resolved { draft.end(exchange, .resolved) }
    return commit(draft, &transaction)
  }

  private func end(
    _ operation: EndTurnGame, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let seat = try seatInTurn(game, operation.version, call, transaction)
    let outcomes = operation.outcomes.map(\.player)
    guard outcomes.count == game.playing.count,
      !operation.outcomes.contains(where: { $0.outcome == .none }),
      Set(outcomes) == Set(game.playing.map { game.seats[$0].player })
    else {
      throw .invalidArgument("outcomes", "Each player in the game has one outcome.")
    }
    let hasMove = !operation.payload.array.isEmpty
    if hasMove {
      guard !game.isSealed else {
        throw .invalidArgument("payload", "The moves of this game are sealed: send SealMove.")
      }
      try expectRoom(game, 1)
    }
    let sealed = try sealedMoves(game, transaction)
    var draft = TurnDraft(game, call.player, transaction.now, sealed: sealed)
    if hasMove {
      draft.play(
        .init(payload: operation.payload, state: operation.state, hidden: operation.hidden),
        seat: seat)
    } else {
      draft.save(operation.state, operation.hidden, seat: seat)
    }
    for given in operation.outcomes {
      guard let seat = game.seat(of: given.player) else { continue }
      draft.game.seats[seat].outcome = given.outcome
    }
    draft.finish()
    return commit(draft, &transaction)
  }

  private func seal(
    _ operation: SealMove, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let seat = try activeSeat(game, call)
    guard game.isSealed else { throw .notAllowed("", "This game has no sealed rounds.") }
    try expectPlay(game)
    guard operation.round == game.round else {
      throw .conflict("round", "The open round is \(game.round).")
    }
    guard !game.seats[seat].hasSealed else {
      throw .conflict("round", "You have moved in this round.")
    }
    try expectRoom(game, game.seats.count)
    var row = TurnSealedRow()
    row.key = game.key(UInt64(game.round), seat: UInt8(seat))
    row.player = call.player
    row.time = transaction.now
    row.payload = operation.payload
    let others = try sealedMoves(game, transaction)
    let rows = (others + [row]).sorted { $0.key.seat < $1.key.seat }
    var draft = TurnDraft(game, call.player, transaction.now, sealed: rows)
    draft.seal(seat)
    if let hidden = operation.hidden { draft.setState(hidden, seat: UInt8(seat)) }
    if draft.game.haveAllSealed { draft.reveal() } else { transaction.put(row) }
    contexts.played(in: game.key, &transaction)
    return commit(draft, &transaction)
  }

  private func setLines(
    _ operation: SetConditionalMoves, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let seat = try activeSeat(game, call)
    try expectVersion(operation.version, game, call, transaction)
    try expectPlay(game)
    guard !game.isSealed, game.holder != seat else {
      throw .notAllowed("", "Conditional moves are for another player's turn.")
    }
    let hasState = operation.lines.contains { $0.steps.contains { $0.state != nil } }
    guard !hasState || game.playing.count == 2 else {
      throw .invalidArgument(
        "lines", "With more than two players, others move between: the state cannot be foreseen.")
    }
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.keep(operation.lines, of: seat)
    return commit(draft, &transaction)
  }
}
