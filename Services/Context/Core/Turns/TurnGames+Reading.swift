import Domain
import Operations
import Wire

// Games and their moves, for those who may read them.
extension TurnGames {
  func registerReading(_ router: inout Router) {
    router.on(ReadTurnGame.self, read)
    router.on(ReadMoves.self, readMoves)
    router.on(ReadTurnState.self, readState)
    router.on(ReadTurnExchange.self, readExchange)
  }

  /// The context's last game, or an earlier one that is still kept.
  private func kept(
    _ context: ContextID, _ number: UInt32, _ call: Call, _ transaction: borrowing Transaction
  ) throws(Stop) -> TurnGameRow {
    _ = try contexts.participant(context, call)
    guard let game = current(in: context), number <= game.number else { throw Self.noGame }
    if number == 0 || number == game.number { return game }
    guard number > game.sweptThrough else { throw Self.noGame }
    var earlier = game
    earlier.number = number
    guard let row = try transaction.row(FinishedTurnGameRow.self, earlier.key()) else {
      throw Self.noGame
    }
    return row.game
  }

  private func read(
    _ operation: ReadTurnGame, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> TurnGameView {
    let game = try kept(operation.context, operation.number, call, transaction)
    return try view(game, for: call.player, transaction)
  }

  private func readMoves(
    _ operation: ReadMoves, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ReadMoves.Reply {
    let game = try kept(operation.context, operation.number, call, transaction)
    guard game.mayRead(call.player) else {
      throw .notAllowed("", "You neither play in this game nor watch it.")
    }
    guard (1...TurnLimits.movePageMax).contains(Int(operation.limit)) else {
      throw .invalidArgument("limit", "A page holds 1 to \(TurnLimits.movePageMax) moves.")
    }
    var reply = ReadMoves.Reply()
    reply.moveCount = game.moveCount
    let first = game.key(UInt64(operation.from)).keyBytes
    let range = ColdRange(
      table: TurnMoveRow.tableID, from: first,
      through: game.key.keyBytes + game.number.keyBytes, limit: Int(operation.limit))
    reply.moves = try transaction.rows(TurnMoveRow.self, in: range).map { $0.move(of: game) }
    return reply
  }

  private func readState(
    _ operation: ReadTurnState, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ReadTurnState.Reply {
    let game = try kept(operation.context, operation.number, call, transaction)
    guard game.mayRead(call.player) else {
      throw .notAllowed("", "You neither play in this game nor watch it.")
    }
    guard let move = try transaction.row(TurnMoveRow.self, game.key(UInt64(operation.move))) else {
      throw .notFound("move", "The game has no such move.")
    }
    let key = game.key(move.position.stateVersion)
    guard let row = try transaction.row(TurnStateRow.self, key) else {
      throw .notFound("move", "The state after this move is not kept any more.")
    }
    var reply = ReadTurnState.Reply()
    reply.state = row.bytes
    return reply
  }

  private func readExchange(
    _ operation: ReadTurnExchange, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ReadTurnExchange.Reply {
    let game = try game(operation.context, operation.number, call)
    guard let seat = game.seat(of: call.player) else { throw Self.noSeat }
    guard let exchange = game.exchanges.first(where: { $0.id == operation.exchange }),
      game.mayRead(exchange)(seat)
    else { throw .notFound("exchange", "You take part in no such exchange.") }
    let seats = [exchange.seat] + exchange.answered
    let writers = seats.map { game.seats[Int($0)].player }.filter { $0 != call.player }
    let apart = try blocked(call, and: writers)
    let keys = seats.map { game.key(UInt64(exchange.id), seat: $0) }
    try transaction.fetch(keys.map { .row(TurnWordsRow.self, $0) })
    var reply = ReadTurnExchange.Reply()
    reply.exchange = game.shown(exchange)
    let readsAll = exchange.isComplete || Int(exchange.seat) == seat
    for (who, key) in zip(seats, keys) {
      guard let row = try transaction.row(TurnWordsRow.self, key), !apart.contains(row.player)
      else { continue }
      if who == exchange.seat {
        reply.request = row.payload
      } else if readsAll || Int(who) == seat {
        var answer = TurnExchangeAnswer()
        answer.player = row.player
        answer.payload = row.payload
        reply.answers.append(answer)
      }
    }
    return reply
  }
}

extension TurnMoveRow {
  func move(of game: TurnGameRow) -> TurnMove {
    var move = TurnMove()
    move.index = UInt32(key.item)
    move.kind = kind
    move.player = player
    move.time = time
    move.version = version
    move.round = round
    move.payload = payload
    move.next = position.queue.filter { Int($0) < game.seats.count }.map {
      game.seats[Int($0)].player
    }
    move.clocks = position.clocks
    return move
  }
}
