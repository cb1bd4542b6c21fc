import ContextCore
import Domain
import Operations
import TestKit
import Wire

// What players do, and what it comes to in the model.
extension TurnSimulation {
  func move(_ index: Int, _ seat: Int) throws {
    guard isOpen(index) else { return }
    let model = plays[index].model
    if model.isSealed { return try seal(index, seat) }
    // Mostly by whoever has the turn, or little would happen.
    let seat = chance(4, in: 5) ? model.queue.first ?? seat : seat
    let player = plays[index].seats[seat]
    var operation = MakeMove()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.version = try version(index)
    operation.payload = Bytes([UInt8.random(in: 0...2, using: &random)])
    if chance(1, in: 2) {
      let size = chance(1, in: 4) ? 1_500 : 3
      operation.state = Bytes((0..<size).map { _ in UInt8.random(in: 0...100, using: &random) })
    }
    if chance(1, in: 3) {
      let pad = chance(1, in: 3) ? [UInt8](repeating: 7, count: 1_200) : []
      operation.hidden = Bytes(secret(for: [player]) + pad)
    }
    var next: [Int] = []
    if chance(1, in: 4) {
      next = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        model.playing.randomElement(using: &random) ?? 0
      }
    }
    operation.next = next.map { plays[index].seats[$0] }
    let succeeds = isHere(index, seat) && model.mayAct(seat)
    try expect(operation, as: player, succeeds: succeeds)
    guard succeeds else { return }
    // What was played for others is public now.
    let before = plays[index].model.moves.count
    plays[index].model.move(
      seat, operation.payload.array, state: operation.state?.array,
      hidden: operation.hidden?.array, next: next, now: driver.clock)
    for move in plays[index].model.moves[before...] { reveal(move.payload) }
  }

  func seal(_ index: Int, _ seat: Int) throws {
    let (model, player) = (plays[index].model, plays[index].seats[seat])
    var operation = SealMove()
    (operation.context, operation.number, operation.round) =
      (plays[index].context, 1, UInt32(model.round))
    operation.payload = Bytes(secret(for: [player]))
    let succeeds =
      isHere(index, seat) && model.mayAct(seat) && model.sealed[seat] == nil
    let others = model.playing.filter { $0 != seat }
    if succeeds && others.allSatisfy({ model.sealed[$0] != nil }) {
      for bytes in model.sealed.values { reveal(bytes) }
      reveal(operation.payload.array)
    }
    try expect(operation, as: player, succeeds: succeeds)
    if succeeds { plays[index].model.seal(seat, operation.payload.array, now: driver.clock) }
  }

  func stale(_ index: Int, _ seat: Int) throws {
    guard isOpen(index) else { return }
    var operation = MakeMove()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.version = try version(index) &- UInt64.random(in: 1...2, using: &random)
    operation.state = Bytes([99])
    try expect(operation, as: plays[index].seats[seat], succeeds: false)
    guard isHere(index, seat), lastFailure?.code == .conflict else { return }
    let view = try TurnGameView(decoding: lastFailure?.detail.array ?? [])
    guard view.state?.array == plays[index].model.state else {
      throw Fault("a conflict carries another state")
    }
  }

  func save(_ index: Int, _ seat: Int) throws {
    guard isOpen(index) else { return }
    var operation = SaveTurnState()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.version = try version(index)
    operation.state = Bytes([UInt8.random(in: 0...100, using: &random), 1])
    let succeeds = isHere(index, seat) && plays[index].model.mayAct(seat)
    try expect(operation, as: plays[index].seats[seat], succeeds: succeeds)
    if succeeds { plays[index].model.save(operation.state?.array ?? []) }
  }

  func foresee(_ index: Int, _ seat: Int) throws {
    guard isOpen(index) else { return }
    let (model, player) = (plays[index].model, plays[index].seats[seat])
    var operation = SetConditionalMoves()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.version = try version(index)
    operation.lines = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      var line = ConditionalLine()
      line.steps = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        var step = ConditionalStep()
        step.expected = Bytes([UInt8.random(in: 0...2, using: &random)])
        // Some answers trigger the lines of others.
        step.payload =
          chance(1, in: 2)
          ? Bytes(secret(for: [player])) : Bytes([UInt8.random(in: 0...2, using: &random)])
        return step
      }
      return line
    }
    let mayAct = !model.isOver && !model.isPaused && model.isIn[seat] && !model.isSealed
    let succeeds = isHere(index, seat) && mayAct && model.queue.first != seat
    try expect(operation, as: player, succeeds: succeeds)
    guard succeeds else { return }
    let lines = operation.lines.map { $0.steps.map { ($0.expected.array, $0.payload.array) } }
    plays[index].model.lines[seat] = lines.isEmpty ? nil : lines
  }

  func propose(_ index: Int, _ seat: Int) throws {
    guard isOpen(index) else { return }
    let (model, player) = (plays[index].model, plays[index].seats[seat])
    if model.proposal != nil { return try answer(index, seat) }
    var operation = ProposeTurnChange()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.kind = chance(2, in: 3) ? .undo : .pause
    let depth = Int.random(in: 0...(chance(1, in: 5) ? 18 : 4), using: &random)
    operation.move = UInt32(max(0, model.moves.count - depth))
    let isUndo = operation.kind == .undo
    let undone = model.moves.count - Int(operation.move)
    let isDeep = !(1...TurnLimits.undoDepthMax).contains(undone)
    let isBefore = operation.move < plays[index].forkedAt
    let mayAct = isHere(index, seat) && !model.isOver && !model.isPaused && model.isIn[seat]
    let succeeds = mayAct && !(isUndo && (isDeep || isBefore || model.isSealed))
    try expect(operation, as: player, succeeds: succeeds)
    guard succeeds else { return }
    plays[index].model.proposal = (isUndo ? Int(operation.move) : nil, [])
    plays[index].model.agree(seat, now: driver.clock)
  }

  func answer(_ index: Int, _ seat: Int) throws {
    var operation = AnswerTurnProposal()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.accept = chance(5, in: 6)
    let reader = plays[index].seats.first { !plays[index].left.contains($0) } ?? spectator
    operation.proposal = try view(index, reader).info.proposal?.id ?? 0
    let succeeds = isHere(index, seat) && plays[index].model.isIn[seat]
    try expect(operation, as: plays[index].seats[seat], succeeds: succeeds)
    guard succeeds else { return }
    if operation.accept {
      plays[index].model.agree(seat, now: driver.clock)
    } else {
      plays[index].model.proposal = nil
    }
  }

  func resume(_ index: Int, _ seat: Int) throws {
    var operation = ResumeTurnGame()
    (operation.context, operation.number) = (plays[index].context, 1)
    let model = plays[index].model
    let succeeds = isHere(index, seat) && model.isIn[seat] && !model.isOver
    try expect(operation, as: plays[index].seats[seat], succeeds: succeeds)
    if succeeds && model.isPaused { plays[index].model.resume(driver.clock) }
  }

  func quit(_ index: Int, _ seat: Int) throws {
    guard isHere(index, seat), plays[index].hasSeat(seat) else { return }
    var operation = QuitTurnGame()
    (operation.context, operation.number) = (plays[index].context, 1)
    change(index) { model, now in
      if model.isIn[seat] && !model.isOver { model.quit(seat, now: now) }
    }
    try expect(operation, as: plays[index].seats[seat], succeeds: true)
  }

  /// Changes the model first, so that what it reveals is no secret any more.
  func change(_ index: Int, _ body: (inout TurnModel, Int64) -> Void) {
    let before = plays[index].model.moves.count
    body(&plays[index].model, driver.clock)
    for move in plays[index].model.moves.dropFirst(before) { reveal(move.payload) }
    revealExchanges(index)
  }

  func leave(_ index: Int, _ seat: Int) throws {
    guard isHere(index, seat) else { return }
    change(index) { model, now in
      if model.isIn[seat] && !model.isOver { model.quit(seat, now: now) }
    }
    var operation = LeaveContext()
    operation.context = plays[index].context
    try expect(operation, as: plays[index].seats[seat], succeeds: true)
    plays[index].left.insert(plays[index].seats[seat])
    counts["left", default: 0] += 1
  }

  func end(_ index: Int, _ seat: Int) throws {
    guard isOpen(index) else { return }
    let model = plays[index].model
    var operation = EndTurnGame()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.version = try version(index)
    operation.outcomes = model.playing.map { player in
      var outcome = TurnSeatOutcome()
      (outcome.player, outcome.outcome) = (plays[index].seats[player], .tied)
      return outcome
    }
    let succeeds = isHere(index, seat) && model.mayAct(seat)
    if succeeds { change(index) { model, now in model.end(now) } }
    try expect(operation, as: plays[index].seats[seat], succeeds: succeeds)
  }

  func pass(_ milliseconds: Int64) throws {
    log.append("pass \(milliseconds)")
    let now = driver.clock + milliseconds
    for index in plays.indices { change(index) { model, _ in model.pass(until: now) } }
    driver.pass(milliseconds)
    try drain()
  }

  func fork(_ index: Int, _ seat: Int) throws {
    let play = plays[index]
    let model = play.model
    guard plays.count < 3, play.hasSeat(seat), play.left.isEmpty else { return }
    let count = max(0, model.moves.count - Int.random(in: 0...3, using: &random))
    let position = count == 0 ? model.start : model.moves[count - 1].position
    guard let position else { return }
    var operation = ForkTurnGame()
    (operation.context, operation.number, operation.move) = (play.context, 1, UInt32(count))
    operation.players = play.seats
    let round = model.isSealed && count > 0 && count < model.moves.count
    if round && model.moves[count].position == position { return }
    guard let reply = try act(operation, as: play.seats[seat]) else {
      throw Fault("a fork at \(count) failed: \(lastFailure ?? Failure())")
    }
    while driver.engine.nextTimerDue.map({ $0 <= driver.clock }) == true {
      driver.runTimers()
      try drain()
    }
    var copy = TurnModel(
      players: play.seats.count, isSealed: model.isSealed, timeout: model.timeout,
      clock: model.clock, state: position.state, now: driver.clock)
    copy.moves = model.moves.prefix(count).map {
      TurnModel.Move(player: $0.player, payload: $0.payload, position: nil)
    }
    copy.clocks = position.clocks.map { $0 == 0 ? model.clock : $0 }
    copy.queue = position.queue
    copy.start = count > 0 ? nil : copy.position
    if count > 0 { copy.moves[count - 1].position = copy.position }
    plays.append(
      Play(
        context: reply.context, seats: play.seats, model: copy, forkedAt: count, isTaken: true))
    let new = plays.count - 1
    copy.round = Int(try view(new, play.seats[seat]).info.round)
    if model.isSealed { plays[new].model.round = copy.round }
    // Seats of players who had quit are taken again; all accept.
    for player in play.seats where player != play.seats[seat] { try accept(new, player) }
  }
}
