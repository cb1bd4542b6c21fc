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
      _ = try undone(proposal, game, transaction)
    default: throw .invalidArgument("kind", "Propose undo or pause.")
    }
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.game.proposal = proposal
    draft.game.proposalCount = proposal.id
    // The others are told of it, and of its end.
    let news = 2 * (game.playing.count - 1)
    try draft.game.takeNews(news, of: call.player, now: transaction.now)
    return try settle(&draft, call, &transaction)
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
      return try settle(&draft, call, &transaction)
    }
    draft.game.proposal = nil
    let apart = try blocked(call, and: game.players(but: call.player))
    tell(proposal, isAccepted: false, draft, apart, &transaction)
    return commit(draft, &transaction)
  }

  /// Does what is proposed when everybody agrees.
  private func settle(
    _ draft: inout TurnDraft, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = draft.game
    let apart = try blocked(call, and: game.players(but: call.player))
    guard let proposal = game.proposal else { return commit(draft, &transaction) }
    let isSettled = game.playing.allSatisfy { proposal.agreed.contains(game.seats[$0].player) }
    guard isSettled else {
      if proposal.agreed.count == 1 { tell(proposal, isAccepted: nil, draft, apart, &transaction) }
      return commit(draft, &transaction)
    }
    if proposal.kind == .undo {
      if game.forks.contains(where: { $0.number == game.number }) {
        throw .conflict("", "A fork of this game is being copied.")
      }
      draft.undo(to: try undone(proposal, game, transaction))
    } else {
      draft.game.spent = game.elapsed(draft.now)
      draft.game.phase = .paused
      draft.game.proposal = nil
    }
    tell(proposal, isAccepted: true, draft, apart, &transaction)
    return commit(draft, &transaction)
  }

  /// The move that an undo goes back to, and those behind it.
  private func undone(
    _ proposal: TurnProposal, _ game: TurnGameRow, _ transaction: borrowing Transaction
  ) throws(Stop) -> [TurnMoveRow] {
    let keys = (proposal.move...game.moveCount).map { game.key(UInt64($0)) }
    try transaction.fetch(keys.map { .row(TurnMoveRow.self, $0) })
    var rows: [TurnMoveRow] = []
    for key in keys {
      if let row = try transaction.row(TurnMoveRow.self, key) { rows.append(row) }
    }
    let places = rows.first?.position.places ?? []
    let states = places.map { game.key($0.version, seat: $0.seat) }
    try transaction.fetch(states.map { .row(TurnStateRow.self, $0) })
    for key in states where try transaction.row(TurnStateRow.self, key) == nil {
      throw .notFound("move", "The states after this move are not kept any more.")
    }
    return rows
  }

  /// - Parameters:
  ///   - isAccepted: nil while the proposal is open.
  ///   - apart: who gets a hint instead of an event.
  private func tell(
    _ proposal: TurnProposal, isAccepted: Bool?, _ draft: TurnDraft, _ apart: Set<PlayerID>,
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
    var hint = TurnGameChanged()
    (hint.context, hint.number, hint.version) = (game.key, game.number, game.version)
    for player in game.players(but: draft.actor) {
      if apart.contains(player) {
        transaction.hint(hint, to: player, game: game.game)
      } else {
        append(event, to: player, from: draft.actor, game, &transaction)
      }
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
    // All of them read what the others say.
    try expectNoBlocks(among: [call.player] + operation.players, "players", call)
    var draft = TurnDraft(game, call.player, transaction.now)
    // The receivers are told of it, and of its end.
    try draft.game.takeNews(2 * receivers.count, of: call.player, now: transaction.now)
    var exchange = TurnExchangeRow()
    exchange.id = game.exchangeCount + 1
    exchange.seat = UInt8(seat)
    exchange.receivers = receivers
    exchange.lifetime = operation.lifetimeMilliseconds
    exchange.dueAt = transaction.now + exchange.lifetime
    say(operation.payload, in: exchange, seat, game, &transaction)
    setTimer(exchange, game, &transaction)
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
    let exchange = game.exchanges[index]
    let others = ([exchange.seat] + exchange.receivers).map { game.seats[Int($0)].player }
    try expectNoBlocks(between: call, and: others.filter { $0 != call.player }, "exchange")
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.answer(exchange.id, seat)
    say(operation.payload, in: exchange, seat, game, &transaction)
    if !draft.game.exchanges[index].isComplete {
      tell(
        exchange, .answered, of: game, to: [exchange.seat], by: call.player, &transaction)
    }
    return commit(draft, &transaction)
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
      append(
        event, to: game.seats[seat].player, from: player, unlessBlocked: true, game, &transaction)
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
      try expectArrival(in: game.key, call)
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
