import Domain
import Operations
import Wire

extension TurnGames {
  /// Stores what a draft says, and tells everybody who is to know.
  func commit(_ draft: TurnDraft, _ transaction: inout Transaction) -> TurnGameInfo {
    var game = draft.game
    for key in draft.removedMoves { transaction.remove(TurnMoveRow.self, key) }
    for row in draft.moves { transaction.put(row) }
    for key in draft.removedStates { transaction.remove(TurnStateRow.self, key) }
    for row in draft.states { transaction.put(row) }
    for key in draft.removedSealed { transaction.remove(TurnSealedRow.self, key) }
    for seat in draft.removedLines {
      transaction.remove(TurnLinesRow.self, game.key(seat: UInt8(seat)))
    }
    for seat in draft.lines.keys.sorted() {
      if let row = draft.lines[seat] { transaction.put(row) }
    }
    for (exchange, state) in draft.endedExchanges {
      drop(exchange, state, draft, &transaction)
    }
    for (id, late) in draft.completedExchanges {
      guard let exchange = game.exchanges.first(where: { $0.id == id }) else { continue }
      setTimer(exchange, game, &transaction)
      tellComplete(exchange, late: late, draft, &transaction)
    }
    setTimer(draft, &transaction)
    list(&game, &transaction)
    put(game, &transaction)
    tell(draft, &transaction)
    return game.info(for: draft.actor)
  }

  private func drop(
    _ exchange: TurnExchangeRow, _ state: TurnExchangeState, _ draft: TurnDraft,
    _ transaction: inout Transaction
  ) {
    let game = draft.game
    for seat in [exchange.seat] + exchange.receivers {
      transaction.remove(TurnWordsRow.self, game.key(UInt64(exchange.id), seat: seat))
    }
    transaction.cancelTimer(EndTurnExchange.self, on: game.key, item: game.timerItem(exchange.id))
    // The end of a game is told by an event of its own.
    if game.phase != .ended && !draft.isQuiet {
      tell(exchange, state, of: game, by: draft.actor, &transaction)
    }
  }

  /// The one timer of a game: for the reminder, then for the end of the turn.
  private func setTimer(_ draft: TurnDraft, _ transaction: inout Transaction) {
    let (old, game) = (draft.old, draft.game)
    let isSame = old.turn == game.turn && old.dueAt == game.dueAt
    // One that fired and changed nothing would fire again at once.
    if isSame && (!draft.hasTimerFired || old.version == game.version) { return }
    guard let dueAt = game.dueAt else {
      if old.dueAt != nil { transaction.cancelTimer(EndTurn.self, on: game.key) }
      return
    }
    let reminder = game.reminderAt.flatMap { $0 > draft.now ? $0 : nil }
    setTimer(game, at: reminder ?? dueAt, &transaction)
  }

  func setTimer(_ game: TurnGameRow, at time: Int64, _ transaction: inout Transaction) {
    var timer = EndTurn()
    timer.context = game.key
    timer.number = game.number
    timer.turn = game.turn
    transaction.setTimer(timer, on: game.key, at: time, game: game.game)
  }

  /// Brings the game's place in its players' lists up to date.
  private func list(_ game: inout TurnGameRow, _ transaction: inout Transaction) {
    for index in game.seats.indices where !game.seats[index].player.isNil {
      let state = game.listState(of: index)
      let isInvited = game.seats[index].state == .invited && state != .none
      let seat = game.seats[index]
      if state == seat.listState && isInvited == seat.isListedAsInvited { continue }
      var effect = RecordTurnGame()
      effect.player = seat.player
      effect.context = game.key
      effect.number = game.number
      effect.oldState = seat.listState
      effect.oldSince = seat.listSince
      effect.state = state
      effect.since = transaction.now
      effect.isInvited = isInvited
      game.seats[index].listState = state
      game.seats[index].listSince = transaction.now
      game.seats[index].isListedAsInvited = isInvited
      transaction.effect(effect, on: seat.player, game: game.game)
    }
  }

  // MARK: News

  private func tell(_ draft: TurnDraft, _ transaction: inout Transaction) {
    let (old, game) = (draft.old, draft.game)
    if draft.isQuiet { return }
    var isActorTold = false
    var told = draft.leaving.union([draft.actor])
    // Who has left the context hears nothing of it any more.
    let context = contexts[game.key]
    for seat in game.seats where context?.holds(seat.player) != true {
      told.insert(seat.player)
    }
    if game.phase == .ended && old.phase != .ended {
      var event = TurnGameEnded()
      (event.context, event.number, event.version) = (game.key, game.number, game.version)
      for seat in game.seats where seat.isTold && told.insert(seat.player).inserted {
        append(event, to: seat.player, from: draft.actor, game, &transaction)
      }
    } else if draft.isTurnNews {
      isActorTold = tellTurn(draft, &told, &transaction)
    }
    if !draft.isNoticed { return }
    // The actor's other devices know nothing of it yet.
    let isHere = context?.holds(draft.actor) == true && !draft.leaving.contains(draft.actor)
    if isHere && !isActorTold { told.remove(draft.actor) }
    var hint = TurnGameChanged()
    (hint.context, hint.number, hint.version) = (game.key, game.number, game.version)
    let others = game.seats.filter(\.isTold).map(\.player)
    for player in others + game.spectators where told.insert(player).inserted {
      transaction.hint(hint, to: player, game: game.game)
    }
  }

  /// The player whose turn it is now gets an event, and so do all when a round was revealed, and
  /// those whom the game waits for when a pause ends. Returns whether the actor is one of them.
  private func tellTurn(
    _ draft: TurnDraft, _ told: inout Set<PlayerID>, _ transaction: inout Transaction
  ) -> Bool {
    let game = draft.game
    // A conditional move may give the turn back to the caller, whose other devices ask for it.
    let isBack =
      game.holder.map { game.seats[$0].player } == draft.actor && draft.mover != draft.actor
      && draft.old.phase != .paused
    if isBack { told.remove(draft.actor) }
    var event = TurnPassed()
    (event.context, event.number, event.version) = (game.key, game.number, game.version)
    event.player = draft.mover
    event.moveCount = game.moveCount
    event.round = game.isSealed ? game.round : 0
    var hint = YourTurn()
    (hint.context, hint.number, hint.version) = (game.key, game.number, game.version)
    for seat in game.seats.indices where game.isAwaited(seat) {
      // At the start an invitation says as much.
      if draft.old.phase == .preparing && game.seats[seat].state == .invited { continue }
      let player = game.seats[seat].player
      guard told.insert(player).inserted else { continue }
      append(event, to: player, from: draft.mover, game, &transaction)
      transaction.hint(hint, to: player, game: game.game)
    }
    return isBack
  }

  /// The player who has opened it and the one who has the turn learn that an exchange is complete,
  /// and so do those for whose answers it is too late. With sealed rounds all of its players do.
  private func tellComplete(
    _ exchange: TurnExchangeRow, late: [UInt8], _ draft: TurnDraft,
    _ transaction: inout Transaction
  ) {
    let game = draft.game
    if game.phase == .ended { return }
    let others = game.isSealed ? exchange.receivers : late + (game.queue.first.map { [$0] } ?? [])
    var seats: [UInt8] = []
    for seat in [exchange.seat] + others where !seats.contains(seat) { seats.append(seat) }
    tell(exchange, .complete, of: game, to: seats, by: draft.actor, &transaction)
  }

  func tell(
    _ exchange: TurnExchangeRow, _ state: TurnExchangeState, of game: TurnGameRow,
    to seats: [UInt8]? = nil, by actor: PlayerID, _ transaction: inout Transaction
  ) {
    var event = TurnExchangeChanged()
    event.context = game.key
    event.number = game.number
    event.exchange = exchange.id
    event.player = actor
    event.state = state
    for seat in seats ?? [exchange.seat] + exchange.receivers
    where game.seats[Int(seat)].player != actor {
      guard contexts[game.key]?.holds(game.seats[Int(seat)].player) == true else { continue }
      append(
        event, to: game.seats[Int(seat)].player, from: actor, unlessBlocked: state == .open, game,
        &transaction)
    }
  }

  /// An event of a game in a player's stream. Bounds there are kept for each sender.
  ///
  /// - Parameter unlessBlocked: for what begins something with a player, who may block the sender
  ///   while it is under way. What happens in the game itself goes on.
  func append<E: Event>(
    _ event: E, to player: PlayerID, from sender: PlayerID, unlessBlocked: Bool = false,
    _ game: TurnGameRow, _ transaction: inout Transaction
  ) {
    var effect = AppendEvent(event, to: player, from: sender)
    effect.isUnlessBlocked = unlessBlocked
    transaction.effect(effect, on: player, game: game.game)
  }
}

extension TurnDraft {
  /// Whether somebody has the turn now, or a new round is open.
  fileprivate var isTurnNews: Bool {
    guard game.phase == .active else { return false }
    // Whoever has ended a pause has started a clock that others may not see.
    let isFirst = old.phase != .active
    return isFirst || (game.isSealed ? game.round != old.round : game.turn != old.turn)
  }

  /// Whether players and spectators see a difference.
  fileprivate var isNoticed: Bool {
    func seen(_ seats: [TurnSeatRow]) -> [[UInt8]] {
      seats.map { [$0.state.rawValue, $0.hasSealed ? 1 : 0] }
    }
    return game.version != old.version || game.phase != old.phase
      || seen(game.seats) != seen(old.seats)
  }
}

extension TurnSeatRow {
  /// Whether the player is, or was, in the game, and did not decline.
  var isTold: Bool {
    !player.isNil && (state == .active || state == .done || state == .invited)
  }
}

extension TurnGameRow {
  /// Tells the timers of the context's games and their items apart.
  func timerItem(_ item: UInt32) -> RoutingKey {
    RoutingKey(high: UInt64(number), low: UInt64(item))
  }
}
