import Domain
import Operations
import Wire

// A game is copied into a new context, as it was after one of its moves.
extension TurnGames {
  func registerFork(_ router: inout Router) {
    router.on(ForkTurnGame.self, fork)
    router.on(CopyFork.self, copy)
    router.on(ReceiveFork.self, receive)
  }

  private func fork(
    _ operation: ForkTurnGame, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ForkTurnGame.Reply {
    let context = try contexts.participant(operation.context, call)
    let game = try game(operation.context, operation.number, call)
    guard game.mayRead(call.player), game.phase != .preparing
    else { throw .notAllowed("", "You neither play in this game nor watch it.") }
    guard operation.players.count == game.seats.count, operation.players.contains(call.player),
      operation.players.allSatisfy(context.holds)
    else {
      throw .invalidArgument(
        "players", "A fork has a player of this context for each seat, you among them.")
    }
    guard operation.move <= game.moveCount else {
      throw .invalidArgument("move", "The game has \(game.moveCount) moves.")
    }
    let row = try position(operation.move, of: game, transaction)
    guard game.forks.count < TurnLimits.forksMax else {
      throw .limitReached("", "So many forks of this game are being copied.")
    }
    guard try call.fact(FetchOpenedContexts.self).forks < TurnLimits.forksKeptMax else {
      throw .limitReached("context", "You have made \(TurnLimits.forksKeptMax) forks, the most.")
    }
    try expectNoBlocks(among: operation.players, "players", call)
    let stateKey = game.key(row.position.stateVersion)
    guard let state = try transaction.row(TurnStateRow.self, stateKey) else {
      throw .notFound("move", "The state after this move is not kept any more.")
    }
    var changed = game
    try changed.takeFork(of: call.player, now: transaction.now)
    // From here on nothing is refused.
    let fork = transaction.identifier(ContextID.self)
    var head = TurnGameRow(forking: game, at: row, operation, call, now: transaction.now)
    head.key = fork
    open(fork, for: operation.players, call, &transaction)
    var effect = ReceiveFork()
    effect.context = fork
    effect.head = Bytes(head.encoded)
    effect.state = state.bytes
    transaction.effect(effect, on: fork, game: game.game)
    var place = TurnForkPlace()
    (place.context, place.number) = (fork, game.number)
    changed.forks.append(place)
    put(changed, &transaction)
    copyOn(game, to: fork, from: 0, through: operation.move, &transaction)
    var reply = ForkTurnGame.Reply()
    reply.context = fork
    return reply
  }

  /// The move after which the fork goes on, which is the last of its round.
  private func position(
    _ index: UInt32, of game: TurnGameRow, _ transaction: borrowing Transaction
  ) throws(Stop) -> TurnMoveRow {
    let keys = [game.key(UInt64(index)), game.key(UInt64(index) + 1)]
    try transaction.fetch(keys.map { .row(TurnMoveRow.self, $0) })
    guard let row = try transaction.row(TurnMoveRow.self, keys[0]) else {
      throw .notFound("move", "This move is not kept any more.")
    }
    let next = try transaction.row(TurnMoveRow.self, keys[1])
    if row.kind == .sealed && next?.round == row.round {
      throw .invalidArgument("move", "A fork begins after a whole round.")
    }
    return row
  }

  private func open(
    _ fork: ContextID, for players: [PlayerID], _ call: Call, _ transaction: inout Transaction
  ) {
    var effect = OpenContext()
    effect.context = fork
    effect.opener = call.player
    // The first one is the owner.
    effect.players = ([call.player] + players.filter { $0 != call.player }).map { player in
      ContextPlayer(
        player: player, role: .participant, state: player == call.player ? .active : .invited)
    }
    transaction.effect(effect, on: fork, game: call.game)
  }

  private func copyOn(
    _ game: TurnGameRow, to fork: ContextID, from: UInt32, through: UInt32,
    _ transaction: inout Transaction
  ) {
    var timer = CopyFork()
    timer.context = game.key
    timer.fork = fork
    timer.number = game.number
    timer.from = from
    timer.through = through
    transaction.setTimer(
      timer, on: game.key, item: RoutingKey(reinterpreting: fork), at: transaction.now,
      game: game.game)
  }

  private static var copyStepMax: UInt32 { 8 }

  private func copy(
    _ operation: CopyFork, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let game = self[operation.context],
      game.forks.contains(where: { $0.context == operation.fork })
    else { return }
    let last = min(operation.through, operation.from + Self.copyStepMax - 1)
    let keys = (operation.from...last).map { index in
      TurnKey(
        context: game.key, number: operation.number, item: UInt64(index),
        seat: TurnStatePlace.publicSeat)
    }
    try transaction.fetch(keys.map { .row(TurnMoveRow.self, $0) })
    var effect = ReceiveFork()
    effect.context = operation.fork
    for key in keys {
      guard let row = try transaction.row(TurnMoveRow.self, key) else { continue }
      effect.moves.append(Bytes(row.encoded))
    }
    effect.isLast = last == operation.through
    transaction.effect(effect, on: operation.fork, game: game.game)
    guard effect.isLast else {
      return copyOn(
        game, to: operation.fork, from: last + 1, through: operation.through, &transaction)
    }
    var changed = game
    changed.forks.removeAll { $0.context == operation.fork }
    put(changed, &transaction)
    // The sweep has waited for it.
    if operation.number <= changed.sweptThrough {
      setSweep(changed, at: transaction.now, &transaction)
    }
  }

  private func receive(
    _ operation: ReceiveFork, _ call: Call, _ transaction: inout Transaction
  ) {
    guard let context = contexts[operation.context], !context.isClosed else { return }
    if let head = try? TurnGameRow(decoding: operation.head.array), !head.key.isNil {
      guard self[operation.context] == nil else { return }
      var state = TurnStateRow()
      state.key = head.key(head.stateVersion)
      state.bytes = operation.state
      transaction.put(state)
      put(head, &transaction)
      return
    }
    guard let game = self[operation.context], game.phase == .preparing else { return }
    for bytes in operation.moves.map(\.array) {
      guard var row = try? TurnMoveRow(decoding: bytes) else { continue }
      row.key.context = game.key
      row.key.number = game.number
      // The states before the fork, and what players kept hidden, stay where they were.
      let isFork = row.key.item == UInt64(game.forkedAt)
      row.position.stateVersion = isFork ? game.stateVersion : 0
      if isFork && !row.position.clocks.isEmpty { row.position.clocks = game.seats.map(\.clock) }
      row.position.hiddenVersions = game.position.hiddenVersions
      transaction.put(row)
    }
    if operation.isLast { begin(game, &transaction) }
  }

  /// A fork is complete: the turn begins.
  private func begin(_ game: TurnGameRow, _ transaction: inout Transaction) {
    var draft = TurnDraft(game, PlayerID(), transaction.now)
    draft.begin { contexts[game.key]?.holds($0) == true }
    let owner = game.seats.first { $0.state == .active }?.player ?? PlayerID()
    invite(draft.game, by: owner, &transaction)
    contexts.played(in: game.key, &transaction)
    _ = commit(draft, &transaction)
  }
}

extension TurnDraft {
  /// A fork has all its moves. Who has left its context meanwhile has no seat in it.
  fileprivate mutating func begin(where isHeld: (PlayerID) -> Bool) {
    for seat in game.playing where !isHeld(game.seats[seat].player) {
      game.seats[seat].state = .declined
    }
    if game.playing.count < 2 { return finish() }
    game.phase = .active
    let queue = game.queue
    game.queue = queue.filter { game.isPlaying(Int($0)) }
    if !game.isSealed && game.queue.isEmpty {
      game.queue = game.order(after: Int(queue.first ?? 0))
    }
    game.beginTurn(now)
  }
}

extension TurnGameRow {
  /// A game as another one was after a move, for other players perhaps, and with nobody's hidden
  /// state.
  init(
    forking source: TurnGameRow, at move: TurnMoveRow, _ operation: ForkTurnGame, _ call: Call,
    now: Int64
  ) {
    self.init()
    game = source.game
    number = 1
    version = move.version
    stateVersion = move.version
    positionedAt = move.version
    options = source.options
    moveCount = operation.move
    forkedAt = operation.move
    startedAt = now
    queue = move.position.queue
    round = move.position.round
    seats = operation.players.map { player in
      var seat = TurnSeatRow()
      seat.player = player
      seat.state = player == call.player ? .active : .invited
      seat.clock = options.playerClockMilliseconds
      return seat
    }
    // Whoever had run out of time there has it all here.
    for (seat, clock) in move.position.clocks.enumerated() where seat < seats.count && clock > 0 {
      seats[seat].clock = clock
    }
  }
}
