import Operations
import Wire

/// What one call does to a game, worked out before anything is changed: the game as it will be, and
/// the rows that come and go with it.
struct TurnDraft {
  let old: TurnGameRow
  var game: TurnGameRow
  let now: Int64
  /// Who acts; nil for time.
  let actor: PlayerID
  /// The moves of the open round, in the order of the seats.
  let sealed: [TurnSealedRow]
  private(set) var moves: [TurnMoveRow] = []
  private(set) var removedMoves: [TurnKey] = []
  private(set) var states: [TurnStateRow] = []
  private(set) var removedStates: [TurnKey] = []
  private(set) var removedSealed: [TurnKey] = []
  var lines: [Int: TurnLinesRow] = [:]
  /// Seats whose conditional moves go.
  private(set) var removedLines: [Int] = []
  private(set) var endedExchanges: [(exchange: TurnExchangeRow, state: TurnExchangeState)] = []
  /// Exchanges that are complete now, with those who had not answered in time.
  private(set) var completedExchanges: [(id: UInt32, late: [UInt8])] = []
  /// Whether the game's timer has gone by firing.
  var hasTimerFired = false
  /// Whether nobody is told.
  var isQuiet = false
  /// Who leaves the context by this, and is told nothing any more.
  var leaving: Set<PlayerID> = []
  /// Who has moved last.
  private(set) var mover = PlayerID()

  init(_ game: TurnGameRow, _ actor: PlayerID, _ now: Int64, sealed: [TurnSealedRow] = []) {
    old = game
    self.game = game
    self.actor = actor
    self.now = now
    self.sealed = sealed
  }

  // MARK: States

  /// - Parameter seat: whose hidden state it is; `TurnStatePlace.publicSeat` for the public one.
  mutating func setState(_ bytes: Bytes, seat: UInt8 = TurnStatePlace.publicSeat) {
    let isPublic = seat == TurnStatePlace.publicSeat
    let before = game.stateVersion(of: seat)
    let isNeeded =
      before <= game.positionedAt && (isPublic || !game.isSealed && game.options.allowsUndo)
    if before == game.version {
      states.removeAll { $0.key.item == before && $0.key.seat == seat }
      forgetState(before, seat)
    } else if before != 0 && !isNeeded {
      removeState(before, seat)
    } else {
      supersede(before, seat)
    }
    var row = TurnStateRow()
    row.key = game.key(game.version, seat: seat)
    row.bytes = bytes
    if isPublic {
      game.stateVersion = game.version
    } else {
      row.player = game.seats[Int(seat)].player
      game.seats[Int(seat)].hiddenVersion = game.version
    }
    states.append(row)
    if !isPublic || bytes.array.count > TurnLimits.smallStateSizeMax {
      var place = TurnStatePlace()
      place.version = game.version
      place.seat = seat
      game.passingStates.append(place)
    }
    dropPassed()
  }

  /// What was superseded last is what an undo needs first, however long it stood.
  private mutating func supersede(_ version: UInt64, _ seat: UInt8) {
    let index = game.passingStates.firstIndex { $0.version == version && $0.seat == seat }
    if let index { game.passingStates.append(game.passingStates.remove(at: index)) }
  }

  private mutating func dropPassed() {
    let game = game
    let past = game.passingStates.filter { $0.version != game.stateVersion(of: $0.seat) }
    for place in past.dropLast(TurnLimits.largeStatesMax) { removeState(place.version, place.seat) }
  }

  private mutating func removeState(_ version: UInt64, _ seat: UInt8) {
    let key = game.key(version, seat: seat)
    states.removeAll { $0.key == key }
    removedStates.append(key)
    forgetState(version, seat)
  }

  private mutating func forgetState(_ version: UInt64, _ seat: UInt8) {
    game.passingStates.removeAll { $0.version == version && $0.seat == seat }
  }

  /// Changes states without a move.
  mutating func save(_ state: Bytes?, _ hidden: Bytes?, seat: Int) {
    changed()
    if let state { setState(state) }
    if let hidden { setState(hidden, seat: UInt8(seat)) }
  }

  /// The game has changed otherwise than by a move: nothing that was foreseen or proposed counts.
  mutating func changed() {
    game.version += 1
    game.proposal = nil
    for seat in game.seats.indices { dropLines(of: seat) }
  }

  mutating func dropLines(of seat: Int) {
    lines[seat] = nil
    guard game.seats[seat].hasLines else { return }
    game.seats[seat].hasLines = false
    removedLines.append(seat)
  }

  mutating func keep(_ kept: [ConditionalLine], of seat: Int) {
    if kept.isEmpty { return dropLines(of: seat) }
    var row = TurnLinesRow()
    row.key = game.key(seat: UInt8(seat))
    row.player = game.seats[seat].player
    row.lines = kept
    lines[seat] = row
    game.seats[seat].hasLines = true
    removedLines.removeAll { $0 == seat }
  }

  // MARK: Moves

  /// One move, and what it leaves behind.
  struct Play {
    var payload = Bytes()
    var state: Bytes?
    var hidden: Bytes?
    /// Seats; empty for the order of play.
    var next: [UInt8] = []
    var kind = TurnMoveKind.plain
  }

  mutating func play(_ play: Play, seat: Int) {
    game.version += 1
    game.proposal = nil
    if let state = play.state { setState(state) }
    if let hidden = play.hidden { setState(hidden, seat: UInt8(seat)) }
    game.charge(seat, now)
    game.timeoutsInRow = 0
    game.queue = play.next.isEmpty ? game.order(after: seat) : play.next
    game.beginTurn(now)
    record(play.kind, seat: seat, play.payload, round: 0)
    if game.holder == seat {
      for other in game.seats.indices { dropLines(of: other) }
    }
  }

  /// Notes the position in the history.
  mutating func record(_ kind: TurnMoveKind, seat: Int, _ payload: Bytes, round: UInt32) {
    var row = TurnMoveRow()
    if kind != .start { game.moveCount += 1 }
    row.key = game.key(UInt64(game.moveCount))
    row.player = game.seats[seat].player
    row.kind = kind
    row.time = now
    row.version = game.version
    row.round = round
    row.payload = payload
    row.position = game.position
    moves.append(row)
    mover = row.player
    game.positionedAt = game.version
  }

  /// A player has moved for the open round.
  mutating func seal(_ seat: Int) {
    game.charge(seat, now)
    game.seats[seat].hasSealed = true
    // The others have their time again from here on, where nobody was in time before.
    if game.isIdle {
      for other in game.seats.indices where game.isAwaited(other) { game.charge(other, now) }
      game.beginTurn(now)
    }
    game.timeoutsInRow = 0
  }

  /// Puts the moves of the open round into the history, and opens the next one.
  mutating func reveal() {
    changed()
    let round = game.round
    for seat in game.playing where !game.seats[seat].hasSealed { game.charge(seat, now) }
    for seat in game.seats.indices { game.seats[seat].hasSealed = false }
    game.round += 1
    game.beginTurn(now)
    for row in sealed {
      record(.sealed, seat: Int(row.key.seat), row.payload, round: round)
      removedSealed.append(row.key)
    }
    mover = PlayerID()
  }

  /// The turn goes to the next player, because of time.
  mutating func pass() {
    guard let holder = game.holder else { return }
    changed()
    game.charge(holder, now)
    game.timeoutsInRow += 1
    game.queue.removeFirst()
    if game.queue.isEmpty { game.queue = game.order(after: holder) }
    game.beginTurn(now)
  }

  // MARK: Players

  /// A player takes a seat that was open, with the whole time, and nothing counts that was made
  /// without knowing of it.
  mutating func take(_ seat: Int) {
    changed()
    game.seats[seat].player = actor
    game.seats[seat].state = .active
    game.seats[seat].clock = game.options.playerClockMilliseconds
    if game.isSealed {
      for other in game.playing where other != seat && !game.seats[other].hasSealed {
        game.charge(other, now)
      }
      game.beginTurn(now)
    }
    // One player more does not make a turn end that stands still.
    if Int(game.timeoutsInRow) >= game.playing.count - 1 {
      game.timeoutsInRow = UInt32(game.playing.count)
    }
  }

  /// A player is not in the game any more.
  ///
  /// - Parameter next: who gets the turn if the player had it; empty for the order of play.
  mutating func leave(
    _ seat: Int, _ state: TurnSeatState, _ outcome: TurnOutcome, next: [UInt8] = []
  ) {
    changed()
    let hadTurn = game.holder == seat
    if hadTurn { game.charge(seat, now) }
    game.seats[seat].state = state
    game.seats[seat].outcome = outcome
    game.queue.removeAll { $0 == UInt8(seat) }
    leaveExchanges(seat)
    if game.remainingCount < 2 || game.playing.isEmpty {
      let hasWon = game.seats.contains { $0.state == .done }
      for other in game.playing where hasWon { game.seats[other].outcome = .won }
      return finish()
    }
    if hadTurn {
      if !next.isEmpty { game.queue = next }
      if game.queue.isEmpty { game.queue = game.order(after: seat) }
      game.beginTurn(now)
    }
    if game.haveAllSealed { reveal() }
  }

  /// Ends the game. The outcomes are in the seats already.
  mutating func finish() {
    if game.isSealed && game.seats.contains(where: \.hasSealed) { reveal() } else { changed() }
    for exchange in game.exchanges { endedExchanges.append((exchange, .cancelled)) }
    game.exchanges = []
    game.phase = .ended
    game.endedAt = now
    game.queue = []
    for seat in game.seats.indices where game.isPlaying(seat) || game.seats[seat].state == .matching
    {
      game.seats[seat].state = .done
    }
  }

  // MARK: Exchanges

  mutating func end(_ exchange: UInt32, _ state: TurnExchangeState) {
    guard let index = game.exchanges.firstIndex(where: { $0.id == exchange }) else { return }
    endedExchanges.append((game.exchanges.remove(at: index), state))
  }

  /// A receiver has answered.
  mutating func answer(_ exchange: UInt32, _ seat: Int) {
    guard let index = game.exchanges.firstIndex(where: { $0.id == exchange }) else { return }
    game.exchanges[index].answered.append(UInt8(seat))
    if game.exchanges[index].haveAllAnswered { complete(index) }
  }

  /// The exchange waits to be resolved now, and does so for as long again.
  mutating func complete(_ index: Int) {
    game.exchanges[index].isComplete = true
    game.exchanges[index].dueAt = now + game.exchanges[index].lifetime
    let exchange = game.exchanges[index]
    let late = exchange.receivers.filter { !exchange.answered.contains($0) }
    completedExchanges.append((exchange.id, late))
  }

  private mutating func leaveExchanges(_ seat: Int) {
    for index in game.exchanges.indices.reversed() {
      var exchange = game.exchanges[index]
      if exchange.isComplete { continue }
      if !exchange.answered.contains(UInt8(seat)) {
        exchange.receivers.removeAll { $0 == UInt8(seat) }
      }
      // Nobody is left who could answer.
      if exchange.seat == UInt8(seat) || exchange.receivers.isEmpty {
        end(exchange.id, .cancelled)
      } else {
        game.exchanges[index] = exchange
        if exchange.haveAllAnswered { complete(index) }
      }
    }
  }

  // MARK: Undo

  /// Goes back to an earlier position.
  ///
  /// - Parameter rows: the move of that position and those behind it.
  mutating func undo(to rows: [TurnMoveRow]) {
    guard let target = rows.first?.position else { return }
    changed()
    var dropped = rows.dropFirst().flatMap { $0.position.places }
    dropped += game.position.places
    let kept = Set(target.places)
    for place in Set(dropped).subtracting(kept).sorted(by: { $0.order < $1.order }) {
      removeState(place.version, place.seat)
    }
    removedMoves = rows.dropFirst().map(\.key)
    game.moveCount = UInt32(rows[0].key.item)
    game.stateVersion = target.stateVersion
    for (seat, version) in target.hiddenVersions.enumerated() where seat < game.seats.count {
      game.seats[seat].hiddenVersion = version
    }
    for (seat, clock) in target.clocks.enumerated() { game.seats[seat].clock = clock }
    let last = Int(target.queue.first ?? 0)
    game.queue = target.queue.filter { game.isPlaying(Int($0)) }
    if game.queue.isEmpty { game.queue = game.order(after: last) }
    game.timeoutsInRow = 0
    game.positionedAt = game.version
    game.beginTurn(now)
  }
}

extension TurnPosition {
  /// The states that the position consists of.
  var places: [TurnStatePlace] {
    var places: [TurnStatePlace] = []
    var place = TurnStatePlace()
    place.version = stateVersion
    if stateVersion != 0 { places.append(place) }
    for (seat, version) in hiddenVersions.enumerated() where version != 0 {
      place.seat = UInt8(seat)
      place.version = version
      places.append(place)
    }
    return places
  }
}

extension TurnStatePlace {
  /// For an order that is always the same.
  var order: UInt64 { version << 8 | UInt64(seat) }
}

extension TurnExchangeRow {
  var haveAllAnswered: Bool { receivers.allSatisfy(answered.contains) }
}
