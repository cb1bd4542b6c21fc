import Domain
import Operations
import Wire

// What players of a game say to each other beside the moves: proposals, exchanges and reminders.
extension TurnGames {
  func registerTalk(_ router: inout Router) {
    router.on(ProposeTurnChange.self, propose)
    router.on(AnswerTurnProposal.self, answerProposal)
    router.on(ResumeTurnGame.self, resume)
    router.on(OpenTurnExchange.self, openExchange)
    router.on(AnswerTurnExchange.self, answerExchange)
    router.on(CancelTurnExchange.self, cancelExchange)
    router.on(RemindPlayers.self, remindPlayers)
    router.on(SpectateTurnGame.self, spectate)
  }

  // MARK: Proposals

  private func propose(
    _ operation: ProposeTurnChange, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let seat = try activeSeat(game, call)
    try expectPlay(game)
    if game.proposal != nil { throw .conflict("", "Another proposal is open.") }
    var proposal = TurnProposal()
    proposal.kind = operation.kind
    proposal.id = game.proposalCount + 1
    proposal.player = call.player
    proposal.agreed = [game.seats[seat].player]
    switch operation.kind {
    case .pause: break
    case .undo:
      let depth = Int(game.moveCount) - Int(operation.move)
      guard (1...TurnLimits.undoDepthMax).contains(depth), operation.move >= game.forkedAt else {
        throw .invalidArgument("move", "This is not one of the last moves.")
      }
      guard game.options.allowsUndo, !game.isSealed else {
        throw .notAllowed("kind", "This game has no undo.")
      }
      proposal.move = operation.move
    default: throw .invalidArgument("kind", "Propose undo or pause.")
    }
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.game.proposal = proposal
    draft.game.proposalCount = proposal.id
    return try settle(&draft, &transaction)
  }

  private func answerProposal(
    _ operation: AnswerTurnProposal, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    _ = try activeSeat(game, call)
    guard let proposal = game.proposal, proposal.id == operation.proposal else {
      throw .notFound("proposal", "This proposal is not open.")
    }
    var draft = TurnDraft(game, call.player, transaction.now)
    if operation.accept {
      if !proposal.agreed.contains(call.player) { draft.game.proposal?.agreed.append(call.player) }
      return try settle(&draft, &transaction)
    }
    draft.game.proposal = nil
    tell(proposal, isAccepted: false, draft, &transaction)
    return commit(draft, &transaction)
  }

  /// Does what is proposed when everybody agrees.
  private func settle(_ draft: inout TurnDraft, _ transaction: inout Transaction) throws(Stop)
    -> TurnGameInfo
  {
    let game = draft.game
    guard let proposal = game.proposal else { return commit(draft, &transaction) }
    let isSettled = game.playing.allSatisfy { proposal.agreed.contains(game.seats[$0].player) }
    guard isSettled else {
      if proposal.agreed.count == 1 { tell(proposal, isAccepted: nil, draft, &transaction) }
      return commit(draft, &transaction)
    }
    if proposal.kind == .undo {
      if !game.forks.isEmpty { throw .conflict("", "A fork of this game is being copied.") }
      let keys = (proposal.move...game.moveCount).map { game.key(UInt64($0)) }
      try transaction.fetch(keys.map { .row(TurnMoveRow.self, $0) })
      var rows: [TurnMoveRow] = []
      for key in keys {
        if let row = try transaction.row(TurnMoveRow.self, key) { rows.append(row) }
      }
      draft.undo(to: rows)
    } else {
      draft.game.spent = game.elapsed(draft.now)
      draft.game.phase = .paused
      draft.game.proposal = nil
    }
    tell(proposal, isAccepted: true, draft, &transaction)
    return commit(draft, &transaction)
  }

  /// - Parameter isAccepted: nil while the proposal is open.
  private func tell(
    _ proposal: TurnProposal, isAccepted: Bool?, _ draft: TurnDraft,
    _ transaction: inout Transaction
  ) {
    let game = draft.game
    var event = TurnProposalChanged()
    (event.context, event.number, event.version) = (game.key, game.number, game.version)
    event.proposal = proposal.id
    event.kind = proposal.kind
    event.player = proposal.player
    event.isOpen = isAccepted == nil
    event.isAccepted = isAccepted ?? false
    for seat in game.playing where game.seats[seat].player != draft.actor {
      append(event, to: game.seats[seat].player, from: draft.actor, game, &transaction)
    }
  }

  private func resume(
    _ operation: ResumeTurnGame, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    _ = try activeSeat(game, call)
    try expectGame(game)
    if game.phase != .paused { return game.info(for: call.player) }
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.game.phase = .active
    draft.game.turnStartedAt = transaction.now
    return commit(draft, &transaction)
  }

  // MARK: Exchanges

  private func openExchange(
    _ operation: OpenTurnExchange, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> OpenTurnExchange.Reply {
    let game = try game(operation.context, operation.number, call)
    let seat = try activeSeat(game, call)
    try expectPlay(game)
    let receivers = try seats(operation.players, "players", of: game)
    guard !receivers.contains(UInt8(seat)) else {
      throw .invalidArgument("players", "An exchange is with other players.")
    }
    let own = game.exchanges.count { $0.seat == UInt8(seat) }
    guard own < TurnLimits.exchangesPerPlayerMax, game.exchanges.count < TurnLimits.exchangesMax
    else { throw .limitReached("", "So many exchanges are open already.") }
    try expectNoBlocks(between: call, and: operation.players, "players")
    var exchange = TurnExchangeRow()
    exchange.id = game.exchangeCount + 1
    exchange.seat = UInt8(seat)
    exchange.receivers = receivers
    exchange.lifetime = operation.lifetimeMilliseconds
    exchange.dueAt = transaction.now + exchange.lifetime
    say(operation.payload, in: exchange, seat, game, &transaction)
    setTimer(exchange, game, &transaction)
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.game.exchangeCount += 1
    draft.game.exchanges.append(exchange)
    tell(exchange, .open, of: game, by: call.player, &transaction)
    var reply = OpenTurnExchange.Reply()
    reply.exchange = exchange.id
    reply.info = commit(draft, &transaction)
    return reply
  }

  private func say(
    _ payload: Bytes, in exchange: TurnExchangeRow, _ seat: Int, _ game: TurnGameRow,
    _ transaction: inout Transaction
  ) {
    var row = TurnWordsRow()
    row.key = game.key(UInt64(exchange.id), seat: UInt8(seat))
    row.player = game.seats[seat].player
    row.payload = payload
    transaction.put(row)
  }

  func setTimer(
    _ exchange: TurnExchangeRow, _ game: TurnGameRow, _ transaction: inout Transaction
  ) {
    var timer = EndTurnExchange()
    timer.context = game.key
    timer.number = game.number
    timer.exchange = exchange.id
    transaction.setTimer(
      timer, on: game.key, item: game.timerItem(exchange.id), at: exchange.dueAt, game: game.game)
  }

  private func answerExchange(
    _ operation: AnswerTurnExchange, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let seat = try activeSeat(game, call)
    guard let index = game.exchanges.firstIndex(where: { $0.id == operation.exchange }),
      !game.exchanges[index].isComplete,
      game.exchanges[index].receivers.contains(UInt8(seat)),
      !game.exchanges[index].answered.contains(UInt8(seat))
    else { throw .notFound("exchange", "No such exchange waits for your answer.") }
    let opener = game.seats[Int(game.exchanges[index].seat)].player
    try expectNoBlocks(between: call, and: [opener], "exchange")
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.game.exchanges[index].answered.append(UInt8(seat))
    draft.game.exchanges[index].completeIfAnswered()
    let exchange = draft.game.exchanges[index]
    say(operation.payload, in: exchange, seat, game, &transaction)
    tellAnswer(exchange, draft, &transaction)
    return commit(draft, &transaction)
  }

  private func tellAnswer(
    _ exchange: TurnExchangeRow, _ draft: TurnDraft, _ transaction: inout Transaction
  ) {
    let game = draft.game
    var event = TurnExchangeChanged()
    event.context = game.key
    event.number = game.number
    event.exchange = exchange.id
    event.player = draft.actor
    event.state = exchange.isComplete ? .complete : .answered
    var told = [game.seats[Int(exchange.seat)].player]
    if exchange.isComplete, let holder = game.holder { told.append(game.seats[holder].player) }
    for player in Set(told).subtracting([draft.actor]).sorted() {
      append(event, to: player, from: draft.actor, game, &transaction)
    }
  }

  private func cancelExchange(
    _ operation: CancelTurnExchange, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let seat = try activeSeat(game, call)
    guard
      game.exchanges.contains(where: { $0.id == operation.exchange && $0.seat == UInt8(seat) })
    else { throw .notFound("exchange", "You have opened no such exchange.") }
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.end(operation.exchange, .cancelled)
    return commit(draft, &transaction)
  }

  // MARK: Reminders and spectators

  private func remindPlayers(
    _ operation: RemindPlayers, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let game = try game(operation.context, operation.number, call)
    _ = try activeSeat(game, call)
    try expectPlay(game)
    let reminded = try seats(operation.players, "players", of: game).map(Int.init)
    for seat in reminded
    where game.listState(of: seat) != .waiting || game.seats[seat].player == call.player {
      throw .invalidArgument("players", "The game does not wait for \(game.seats[seat].player).")
    }
    try expectNoBlocks(between: call, and: operation.players, "players")
    let wait = game.remindedAt + TurnLimits.reminderMilliseconds - transaction.now
    guard wait <= 0 || game.remindedAt == 0 else {
      throw .rateLimited("The players were reminded not long ago.", UInt32(clamping: wait))
    }
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.game.remindedAt = transaction.now
    remind(reminded, by: call.player, game, &transaction)
    _ = commit(draft, &transaction)
  }

  func remind(
    _ seats: [Int], by player: PlayerID, _ game: TurnGameRow, _ transaction: inout Transaction
  ) {
    var event = TurnReminder()
    (event.context, event.number, event.version) = (game.key, game.number, game.version)
    event.player = player
    for seat in seats {
      append(event, to: game.seats[seat].player, from: player, game, &transaction)
    }
  }

  private func spectate(
    _ operation: SpectateTurnGame, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    guard game.seat(of: call.player) == nil, game.options.allowsSpectators else {
      throw .notAllowed("", "This game has no spectators, or you play in it.")
    }
    let isWatching = game.spectators.contains(call.player)
    if operation.isWatching == isWatching { return game.info(for: call.player) }
    var draft = TurnDraft(game, call.player, transaction.now)
    if operation.isWatching {
      if game.phase == .ended { throw .refuse(.matchEnded, "The game is over.") }
      let players = game.seats.map(\.player).filter { !$0.isNil }
      try expectNoBlocks(between: call, and: players, "")
      guard game.spectators.count < TurnLimits.spectatorsMax else {
        throw .limitReached("", "A game has at most \(TurnLimits.spectatorsMax) spectators.")
      }
      draft.game.spectators.append(call.player)
    } else {
      draft.game.spectators.removeAll { $0 == call.player }
    }
    return commit(draft, &transaction)
  }
}
