import Domain
import Operations
import Wire

// What time does to a game.
extension TurnGames {
  func endTurn(_ operation: EndTurn, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    guard let game = self[operation.context], game.number == operation.number,
      game.turn == operation.turn, let dueAt = game.dueAt
    else { return }
    let awaited = game.seats.indices.filter(game.isAwaited)
    guard dueAt <= transaction.now else {
      remind(awaited, by: PlayerID(), game, &transaction)
      setTimer(game, at: dueAt, &transaction)
      return
    }
    // A late timer, after a restart say, costs nobody more than it would have in time.
    var draft = TurnDraft(
      game, PlayerID(), dueAt, sealed: try sealedMoves(game, transaction))
    draft.hasTimerFired = true
    draft.expire(awaited, dueAt)
    if draft.game.turn != game.turn { draft.game.turnStartedAt = transaction.now }
    _ = commit(draft, &transaction)
  }

  func endExchange(
    _ operation: EndTurnExchange, _ call: Call, _ transaction: inout Transaction
  ) {
    guard let game = self[operation.context], game.number == operation.number,
      let index = game.exchanges.firstIndex(where: { $0.id == operation.exchange }),
      game.exchanges[index].dueAt <= transaction.now
    else { return }
    var draft = TurnDraft(game, PlayerID(), transaction.now)
    if game.exchanges[index].isComplete || game.exchanges[index].answered.isEmpty {
      draft.end(operation.exchange, .expired)
    } else {
      draft.complete(index)
    }
    _ = commit(draft, &transaction)
  }

  // MARK: Rows that go

  /// Has the rows of all games up to `number` removed.
  func sweep(_ context: ContextID, through number: UInt32, _ transaction: inout Transaction) {
    guard var game = self[context] else { return }
    game.sweptThrough = max(game.sweptThrough, number)
    put(game, &transaction)
    setSweep(game, at: transaction.now, &transaction)
  }

  func setSweep(
    _ game: TurnGameRow, at time: Int64, _ transaction: inout Transaction
  ) {
    var timer = SweepTurnGames()
    timer.context = game.key
    timer.through = game.sweptThrough
    transaction.setTimer(timer, on: game.key, at: time, game: game.game)
  }

  func sweep(
    _ operation: SweepTurnGames, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let game = self[operation.context] else { return }
    // What is copied is still read; when it is, the sweep is set again.
    if game.forks.contains(where: { $0.number <= operation.through }) { return }
    let ranges = [
      range(TurnMoveRow.self, operation), range(TurnStateRow.self, operation),
      range(TurnSealedRow.self, operation), range(TurnLinesRow.self, operation),
      range(TurnWordsRow.self, operation), range(FinishedTurnGameRow.self, operation),
    ]
    try transaction.fetch(ranges)
    let removed = [
      try remove(TurnMoveRow.self, ranges[0], &transaction),
      try remove(TurnStateRow.self, ranges[1], &transaction),
      try remove(TurnSealedRow.self, ranges[2], &transaction),
      try remove(TurnLinesRow.self, ranges[3], &transaction),
      try remove(TurnWordsRow.self, ranges[4], &transaction),
      try remove(FinishedTurnGameRow.self, ranges[5], &transaction),
    ].reduce(0, +)
    if removed > 0 { return setSweep(game, at: transaction.now, &transaction) }
    // The last game itself has gone with its context, unless another one was begun meanwhile.
    if game.number == operation.through && game.phase == .ended {
      contexts.note(goneTurnGames: game.number, in: game.key, &transaction)
      remove(game.key, &transaction)
    }
  }

  private static var sweepStepMax: Int { 32 }

  private func range<R: TurnGameItem>(_ type: R.Type, _ operation: SweepTurnGames) -> ColdRange {
    ColdRange(
      table: R.tableID, from: operation.context.keyBytes,
      through: operation.context.keyBytes + operation.through.keyBytes, limit: Self.sweepStepMax)
  }

  private func remove<R: TurnGameItem>(
    _ type: R.Type, _ range: ColdRange, _ transaction: inout Transaction
  ) throws(Stop) -> Int {
    let rows = try transaction.rows(type, in: range)
    for row in rows { transaction.remove(type, row.key) }
    return rows.count
  }
}

extension TurnDraft {
  /// The time of the turn or the round is up.
  mutating func expire(_ awaited: [Int], _ dueAt: Int64) {
    let elapsed = game.elapsed(dueAt)
    let isOver = !game.isIdle && elapsed >= game.options.turnTimeoutMilliseconds
    for seat in awaited {
      guard let limit = old.clockLimit(of: seat), elapsed >= limit, game.phase == .active,
        game.turn == old.turn || game.isSealed
      else { continue }
      if game.options.playerClockMilliseconds > 0 { game.seats[seat].clock = 0 }
      leave(seat, .done, .timeExpired)
    }
    // Somebody who is out has passed the turn already, or was the last of the round.
    guard isOver, game.phase == .active, game.turn == old.turn else { return }
    if !game.isSealed { return pass() }
    game.timeoutsInRow += UInt32(game.playing.count)
    if game.seats.contains(where: \.hasSealed) { return reveal() }
    for seat in game.playing { game.charge(seat, now) }
    game.beginTurn(now)
  }
}
