import Domain
import Operations
import Wire

// Games begin, and players answer.
extension TurnGames {
  func registerStart(_ router: inout Router) {
    router.on(StartTurnGame.self, start)
    router.on(AnswerTurnGame.self, answer)
    router.on(QuitTurnGame.self, quit)
  }

  private func start(
    _ operation: StartTurnGame, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let context = try contexts.participant(operation.context, call)
    try expectArrival(in: context.key, call)
    guard operation.players.contains(call.player), operation.players.allSatisfy(context.holds)
    else {
      throw .invalidArgument("players", "The players are of this context, you among them.")
    }
    let last = self[operation.context]
    try expectNoGame(operation, last)
    var game = TurnGameRow(operation, last, context, call, now: transaction.now)
    if !operation.next.isEmpty && !game.isSealed {
      game.queue = try seats(operation.next, "next", of: game)
    }
    try expectNoBlocks(among: operation.players, "players", call)
    if let last { (game.sweptThrough, game.forks) = (last.sweptThrough, last.forks) }
    game.budgets = last?.budgets ?? []
    // The others are invited, and told of the end.
    let news = 2 * (operation.players.count - 1)
    try game.takeNews(news, of: call.player, now: transaction.now)

    // From here on nothing is refused.
    if let last { finishOff(last, &transaction) }
    var draft = TurnDraft(game, call.player, transaction.now)
    draft.game.version = 1
    draft.setState(operation.state)
    for dealt in operation.hidden {
      guard let seat = game.seat(of: dealt.player) else { continue }
      draft.setState(dealt.hidden, seat: UInt8(seat))
    }
    draft.game.phase = .active
    draft.game.beginTurn(transaction.now)
    draft.record(.start, seat: game.seat(of: call.player) ?? 0, Bytes(), round: 0)
    invite(draft.game, by: call.player, &transaction)
    if !context.hasPlayed { contexts.played(in: context.key, &transaction) }
    let info = commit(draft, &transaction)
    sweepOld(&transaction, game)
    return info
  }

  private func expectNoGame(_ operation: StartTurnGame, _ last: TurnGameRow?) throws(Stop) {
    if let last, last.phase != .ended {
      throw .conflict("", "Game \(last.number) of this context is under way.")
    }
    guard operation.rematchOf != 0 else { return }
    guard let last, last.number == operation.rematchOf,
      Set(last.seats.map(\.player).filter { !$0.isNil }) == Set(operation.players),
      operation.openSeats == 0
    else {
      throw .conflict("rematchOf", "A rematch is of the last game, with the players it had.")
    }
  }

  /// Keeps the game that ended where it can still be read.
  private func finishOff(_ last: TurnGameRow, _ transaction: inout Transaction) {
    var row = FinishedTurnGameRow()
    row.key = last.key()
    row.game = last
    transaction.put(row)
  }

  /// Games beyond those that are kept go.
  private func sweepOld(_ transaction: inout Transaction, _ game: TurnGameRow) {
    let kept = UInt32(TurnLimits.finishedGamesMax)
    guard game.number > kept + 1 else { return }
    sweep(game.key, through: game.number - kept - 1, &transaction)
  }

  func invite(_ game: TurnGameRow, by inviter: PlayerID, _ transaction: inout Transaction) {
    var event = TurnGameInvitation()
    (event.context, event.number, event.version) = (game.key, game.number, game.version)
    event.inviter = inviter
    for seat in game.seats where seat.state == .invited {
      append(event, to: seat.player, from: inviter, unlessBlocked: true, game, &transaction)
    }
  }

  private func answer(
    _ operation: AnswerTurnGame, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    let own = game.seat(of: call.player)
    if let own, game.seats[own].state == (operation.accept ? .active : .declined) {
      return game.info(for: call.player)
    }
    let free = own ?? (operation.accept ? game.seats.firstIndex { $0.state == .matching } : nil)
    guard let seat = free, [.invited, .matching, .done].contains(game.seats[seat].state) else {
      throw .notAllowed("", "No seat of this game is yours to take.")
    }
    if own == nil { try expectArrival(in: game.key, call) }
    try expectGame(game)
    guard game.seats[seat].state != .done else {
      throw .notAllowed("", "You have left this game.")
    }
    let others = game.playing.map { game.seats[$0].player }.filter { $0 != call.player }
    let isTaken = game.seats[seat].state == .matching
    if operation.accept { try expectNoBlocks(between: call, and: others, "") }
    let apart = isTaken ? try blocked(call, and: game.spectators) : []
    let sealed = try sealedMoves(game, transaction)
    var draft = TurnDraft(game, call.player, transaction.now, sealed: sealed)
    if operation.accept {
      draft.game.seats[seat].state = .active
      if isTaken { draft.take(seat) }
      draft.game.spectators.removeAll { $0 == call.player || apart.contains($0) }
    } else {
      draft.leave(seat, .declined, .none)
    }
    return commit(draft, &transaction)
  }

  private func quit(
    _ operation: QuitTurnGame, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameInfo {
    let game = try game(operation.context, operation.number, call)
    guard let seat = game.seat(of: call.player) else { throw Self.noSeat }
    if game.phase == .ended || !game.isPlaying(seat) { return game.info(for: call.player) }
    try expectGame(game)
    if operation.state != nil {
      _ = try seatInTurn(game, operation.version, call, transaction)
    }
    guard operation.outcome != .none else {
      throw .invalidArgument("outcome", "Whoever quits has an outcome.")
    }
    let next = try seats(operation.next, "next", of: game)
    guard !next.contains(UInt8(seat)) else {
      throw .invalidArgument("next", "The turn passes to a player who is left.")
    }
    var draft = TurnDraft(
      game, call.player, transaction.now, sealed: try sealedMoves(game, transaction))
    if operation.state != nil { draft.save(operation.state, nil, seat: seat) }
    draft.leave(seat, .done, operation.outcome, next: game.isSealed ? [] : next)
    return commit(draft, &transaction)
  }

  /// Players leave the context, or are removed: its game goes on without them. When nobody is
  /// left, all its games go, and nobody is told of it: who closes a context says so.
  ///
  /// It may stop for rows, so it comes before anything is changed.
  func leave(
    _ context: ContextID, _ players: [PlayerID], isClosing: Bool,
    _ transaction: inout Transaction
  ) throws(Stop) {
    guard let game = self[context] else { return }
    let isPart = players.contains { game.seat(of: $0) != nil || game.spectators.contains($0) }
    guard isPart || isClosing else { return }
    // A fork gets all its moves first, and then begins without those who have left.
    if game.phase == .preparing && !isClosing { return }
    let sealed = try sealedMoves(game, transaction)
    var draft = TurnDraft(
      game, players.first ?? PlayerID(), transaction.now, sealed: sealed)
    draft.isQuiet = isClosing
    draft.leaving = Set(players)
    draft.game.spectators.removeAll(where: players.contains)
    for player in players where draft.game.phase != .ended {
      guard let seat = game.seat(of: player), game.isPlaying(seat) else { continue }
      let isInvited = game.seats[seat].state == .invited
      draft.leave(seat, isInvited ? .declined : .done, isInvited ? .none : .quit)
    }
    if isClosing && draft.game.phase != .ended { draft.finish() }
    _ = commit(draft, &transaction)
    if isClosing { sweep(context, through: game.number, &transaction) }
  }
}

extension TurnGameRow {
  /// A game before its first turn.
  init(
    _ operation: StartTurnGame, _ last: TurnGameRow?, _ context: ContextRow, _ call: Call,
    now: Int64
  ) {
    self.init()
    key = context.key
    game = context.game
    number = (last?.number ?? context.goneTurnGames) + 1
    turn = last?.turn ?? 0
    options = operation.options
    startedAt = now
    round = 1
    seats = operation.players.map { player in
      var seat = TurnSeatRow()
      seat.player = player
      seat.state = player == call.player ? .active : .invited
      return seat
    }
    var open = TurnSeatRow()
    open.state = .matching
    seats += Array(repeating: open, count: Int(operation.openSeats))
    for index in seats.indices { seats[index].clock = options.playerClockMilliseconds }
    guard !isSealed, let own = seat(of: call.player) else { return }
    let after = order(after: own)
    queue = after.suffix(1) + after.dropLast()
  }
}
