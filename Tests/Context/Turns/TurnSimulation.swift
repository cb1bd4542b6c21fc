import ContextCore
import Domain
import Operations
import TestKit
import Wire

/// Random calls on one turn-based game and its forks, beside `TurnModel`. Everything that anybody is
/// told is searched for the secrets of others.
final class TurnSimulation {
  struct Fault: Error, CustomStringConvertible {
    var description: String
    init(_ text: String) { description = text }
  }

  typealias Rows = [UInt16: [[UInt8]: [UInt8]]]

  /// A game, with who has which seat.
  struct Play {
    var context: ContextID
    var seats: [PlayerID]
    var model: TurnModel
    /// The public state of each version that was seen.
    var states: [UInt64: [UInt8]] = [:]
    /// How many moves the fork began with, whose positions are not here.
    var forkedAt = 0
    var left: Set<PlayerID> = []
  }

  let driver: ContextDriver
  let seed: UInt64
  private var random: RandomSource
  let players: [PlayerID]
  var plays: [Play] = []
  private var secretCount: UInt32 = 0
  /// Who may know a secret, by its number.
  private var readers: [UInt32: Set<PlayerID>] = [:]
  private var counter: UInt64 = 0
  /// The last call that succeeded, to be repeated.
  private var repeatLast: (() throws -> Void)?
  /// What was done, for whoever looks for a fault.
  private(set) var log: [String] = []
  private let spectator = PlayerID.sample(77)

  init(seed: UInt64) throws {
    self.seed = seed
    random = .seeded(seed &* 0x9e37_79b9)
    driver = ContextDriver(seed: seed)
    let count = Int.random(in: 2...4, using: &random)
    players = (1...UInt64(count)).map { .sample($0) }
    try begin()
  }

  private func chance(_ one: Int, in many: Int) -> Bool {
    Int.random(in: 0..<many, using: &random) < one
  }

  // MARK: Secrets

  private static let mark: [UInt8] = [0xfa, 0xce, 0x5e, 0xc2]

  /// Bytes that only `reader` may be told, until they are revealed.
  private func secret(for readers: Set<PlayerID>) -> [UInt8] {
    secretCount += 1
    self.readers[secretCount] = readers
    return Self.mark + secretCount.keyBytes
  }

  private func reveal(_ bytes: [UInt8]) {
    for number in secrets(in: bytes) { readers[number] = nil }
  }

  private func secrets(in bytes: [UInt8]) -> [UInt32] {
    guard bytes.count >= 8 else { return [] }
    return (0...bytes.count - 8).filter {
      bytes[$0] == 0xfa && Array(bytes[$0..<$0 + 4]) == Self.mark
    }
    .map { start in bytes[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | UInt32($1) } }
  }

  private func look(_ bytes: [UInt8], told player: PlayerID, _ what: String) throws {
    for number in secrets(in: bytes) {
      if let readers = readers[number], !readers.contains(player) {
        throw Fault("\(player) was told secret \(number) by \(what)")
      }
    }
  }

  // MARK: Calls

  /// Makes a call, and looks at all that anybody is told by it. Nil where it was refused.
  @discardableResult
  private func call<O: Wire.Operation>(
    _ operation: O, as player: PlayerID, key: IdempotencyKey? = nil
  ) throws -> O.Reply? {
    let facts = Facts(
      (players + [spectator]).map { Fact(FetchBlocks.self, at: $0, FetchBlocks.Reply()) })
    do {
      let reply = try driver.call(operation, as: player, facts: facts, idempotency: key)
      try look(reply.encoded, told: player, "the reply to \(O.name)")
      try drain()
      return reply
    } catch let failure as Failure {
      try look(failure.encoded, told: player, "a failure of \(O.name)")
      lastFailure = failure
      return nil
    }
  }

  private var lastFailure: Failure?

  /// Delivers effects, and looks at what streams and hints tell.
  private func drain() throws {
    if let refused = try driver.deliverOwnEffects().first { throw Fault("effect: \(refused)") }
    for (_, event) in try driver.takeEffects(AppendEvent.self) {
      try look(event.body.array, told: event.player, "an event")
    }
    for hint in driver.hints { try look(hint.body, told: hint.player, "a hint") }
    driver.hints = []
  }

  /// A call that changes something, under a key that `repeatLast` uses again.
  private func act<O: Wire.Operation>(_ operation: O, as player: PlayerID) throws -> O.Reply?
  where O.Reply: Equatable {
    counter += 1
    let key = IdempotencyKey(instance: 7, counter: counter, floor: counter)
    let reply = try call(operation, as: player, key: key)
    let outcome = reply == nil ? lastFailure?.code.description ?? "failed" : "ok"
    log.append("\(O.name) by \(player.low): \(outcome)")
    guard let reply else { return nil }
    repeatLast = { [unowned self] in
      guard try call(operation, as: player, key: key) == reply else {
        throw Fault("a repeated \(O.name) was answered otherwise")
      }
    }
    return reply
  }

  /// A call whose outcome the model knows.
  private func expect<O: Wire.Operation>(
    _ operation: O, as player: PlayerID, succeeds: Bool
  ) throws where O.Reply: Equatable {
    let reply = try act(operation, as: player)
    guard (reply != nil) == succeeds else {
      let found = succeeds ? "failed: \(lastFailure ?? Failure())" : "succeeded"
      throw Fault("\(O.name) of \(player) \(found)")
    }
  }

  // MARK: The game

  private func begin() throws {
    let context = ContextID.sample(500)
    var open = OpenContext()
    open.context = context
    open.players = (players + [spectator]).map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    try driver.call(open, as: players[0], kind: .service)
    try drain()
    var start = StartTurnGame()
    start.context = context
    start.players = players
    start.options.turnTimeoutMilliseconds = 100_000
    start.options.hasSealedRounds = chance(1, in: 3)
    start.options.allowsSpectators = true
    if chance(1, in: 2) { start.options.playerClockMilliseconds = 400_000 }
    start.state = Bytes([0])
    var model = TurnModel(
      players: players.count, isSealed: start.options.hasSealedRounds, timeout: 100_000,
      clock: start.options.playerClockMilliseconds, state: [0], now: driver.clock)
    for (index, player) in players.enumerated() where chance(1, in: 2) {
      var dealt = TurnHiddenState()
      dealt.player = player
      model.hidden[index] = secret(for: [player])
      dealt.hidden = Bytes(model.hidden[index] ?? [])
      start.hidden.append(dealt)
    }
    model.start = model.position
    try expect(start, as: players[0], succeeds: true)
    plays.append(Play(context: context, seats: players, model: model))
    for player in players.dropFirst() { try accept(0, player) }
    var watch = SpectateTurnGame()
    (watch.context, watch.number) = (context, 1)
    try expect(watch, as: spectator, succeeds: true)
  }

  private func accept(_ index: Int, _ player: PlayerID) throws {
    var answer = AnswerTurnGame()
    (answer.context, answer.number, answer.accept) = (plays[index].context, 1, true)
    try expect(answer, as: player, succeeds: true)
  }

  /// Runs random calls.
  ///
  /// - Parameter sabotage: changes what is stored, once halfway; false while there is nothing to be
  ///   changed.
  func run(calls: Int, sabotage: ((inout Rows) -> Bool)? = nil) throws {
    var sabotage = sabotage
    for turn in 0..<calls {
      let index = Int.random(in: 0..<plays.count, using: &random)
      let seat = Int.random(in: 0..<plays[index].seats.count, using: &random)
      try step(index, seat)
      try check(index, seat)
      if turn >= calls / 3, let change = sabotage {
        var rows = driver.rows
        if change(&rows) {
          try driver.restore(rows)
          sabotage = nil
        }
      }
      if turn % 20 == 19 || turn == calls - 1 { try checkAll() }
    }
  }

  private func step(_ index: Int, _ seat: Int) throws {
    let player = plays[index].seats[seat]
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<38: try move(index, seat)
    case 38..<44: try stale(index, seat)
    case 44..<50: try repeatLast?()
    case 50..<56: try save(index, seat)
    case 56..<66: try foresee(index, seat)
    case 66..<78: try propose(index, seat)
    case 78..<82: try resume(index, seat)
    case 82..<90: try pass(Int64.random(in: 1...60_000, using: &random))
    case 90..<91: try pass(500_000)
    case 91..<94:
      try driver.restart()
      log.append("restart")
    case 94..<96: try fork(index, seat)
    case 96 where chance(1, in: 3): try quit(index, seat)
    case 97 where chance(1, in: 4): try leave(index, seat)
    case 98 where chance(1, in: 4): try end(index, seat)
    default: try talk(index, player)
    }
  }

  private func info(_ index: Int) throws -> TurnGameInfo {
    try view(index, spectator: false, plays[index].seats[0]).info
  }

  private func version(_ index: Int) throws -> UInt64 {
    let play = plays[index]
    let reader = play.seats.first { !play.left.contains($0) } ?? spectator
    return try view(index, spectator: false, reader).info.version
  }

  private func view(_ index: Int, spectator: Bool, _ player: PlayerID) throws -> TurnGameView {
    var read = ReadTurnGame()
    (read.context, read.number) = (plays[index].context, 1)
    guard let view = try call(read, as: player) else {
      throw Fault("\(player) cannot read: \(lastFailure ?? Failure())")
    }
    return view
  }

  private func isHere(_ index: Int, _ seat: Int) -> Bool {
    !plays[index].left.contains(plays[index].seats[seat])
  }

  /// Whether some player is left to ask for the version.
  private func isOpen(_ index: Int) -> Bool { plays[index].left.count < plays[index].seats.count }

  private func move(_ index: Int, _ seat: Int) throws {
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

  private func seal(_ index: Int, _ seat: Int) throws {
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

  private func stale(_ index: Int, _ seat: Int) throws {
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

  private func save(_ index: Int, _ seat: Int) throws {
    guard isOpen(index) else { return }
    var operation = SaveTurnState()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.version = try version(index)
    operation.state = Bytes([UInt8.random(in: 0...100, using: &random), 1])
    let succeeds = isHere(index, seat) && plays[index].model.mayAct(seat)
    try expect(operation, as: plays[index].seats[seat], succeeds: succeeds)
    if succeeds { plays[index].model.save(operation.state?.array ?? []) }
  }

  private func foresee(_ index: Int, _ seat: Int) throws {
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

  private func propose(_ index: Int, _ seat: Int) throws {
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

  private func answer(_ index: Int, _ seat: Int) throws {
    var operation = AnswerTurnProposal()
    (operation.context, operation.number) = (plays[index].context, 1)
    operation.accept = chance(5, in: 6)
    let reader = plays[index].seats.first { !plays[index].left.contains($0) } ?? spectator
    operation.proposal = try view(index, spectator: false, reader).info.proposal?.id ?? 0
    let succeeds = isHere(index, seat) && plays[index].model.isIn[seat]
    try expect(operation, as: plays[index].seats[seat], succeeds: succeeds)
    guard succeeds else { return }
    if operation.accept {
      plays[index].model.agree(seat, now: driver.clock)
    } else {
      plays[index].model.proposal = nil
    }
  }

  private func resume(_ index: Int, _ seat: Int) throws {
    var operation = ResumeTurnGame()
    (operation.context, operation.number) = (plays[index].context, 1)
    let model = plays[index].model
    let succeeds = isHere(index, seat) && model.isIn[seat] && !model.isOver
    try expect(operation, as: plays[index].seats[seat], succeeds: succeeds)
    if succeeds && model.isPaused { plays[index].model.resume(driver.clock) }
  }

  private func quit(_ index: Int, _ seat: Int) throws {
    guard isHere(index, seat) else { return }
    var operation = QuitTurnGame()
    (operation.context, operation.number) = (plays[index].context, 1)
    change(index) { model, now in
      if model.isIn[seat] && !model.isOver { model.quit(seat, now: now) }
    }
    try expect(operation, as: plays[index].seats[seat], succeeds: true)
  }

  /// Changes the model first, so that what it reveals is no secret any more.
  private func change(_ index: Int, _ body: (inout TurnModel, Int64) -> Void) {
    let before = plays[index].model.moves.count
    body(&plays[index].model, driver.clock)
    for move in plays[index].model.moves.dropFirst(before) { reveal(move.payload) }
  }

  private func leave(_ index: Int, _ seat: Int) throws {
    guard isHere(index, seat) else { return }
    change(index) { model, now in
      if model.isIn[seat] && !model.isOver { model.quit(seat, now: now) }
    }
    var operation = LeaveContext()
    operation.context = plays[index].context
    try expect(operation, as: plays[index].seats[seat], succeeds: true)
    plays[index].left.insert(plays[index].seats[seat])
  }

  private func end(_ index: Int, _ seat: Int) throws {
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

  private func talk(_ index: Int, _ player: PlayerID) throws {
    var operation = OpenTurnExchange()
    (operation.context, operation.number) = (plays[index].context, 1)
    guard let other = plays[index].seats.filter({ $0 != player }).randomElement(using: &random)
    else { return }
    operation.players = [other]
    operation.lifetimeMilliseconds = 30_000
    // Until it is complete; the one who resolves it may read it then.
    operation.payload = Bytes(secret(for: [player, other]))
    _ = try act(operation, as: player)
    var read = ReadTurnExchange()
    (read.context, read.number) = (plays[index].context, 1)
    read.exchange = UInt32.random(in: 1...4, using: &random)
    for reader in plays[index].seats { try call(read, as: reader) }
  }

  private func pass(_ milliseconds: Int64) throws {
    log.append("pass \(milliseconds)")
    let now = driver.clock + milliseconds
    for index in plays.indices { change(index) { model, _ in model.pass(until: now) } }
    driver.pass(milliseconds)
    try drain()
  }

  private func fork(_ index: Int, _ seat: Int) throws {
    let play = plays[index]
    let model = play.model
    guard plays.count < 3, isHere(index, seat), play.left.isEmpty else { return }
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
    let rounds = Set(
      model.moves.prefix(count).compactMap { $0.position.map { _ in 0 } }
    ).count
    var copy = TurnModel(
      players: play.seats.count, isSealed: model.isSealed, timeout: model.timeout,
      clock: model.clock, state: position.state, now: driver.clock)
    copy.moves = model.moves.prefix(count).map {
      TurnModel.Move(player: $0.player, payload: $0.payload, position: nil)
    }
    copy.clocks = position.clocks
    copy.queue = position.queue
    copy.start = copy.position
    if count > 0 { copy.moves[count - 1].position = copy.position }
    _ = rounds
    plays.append(
      Play(context: reply.context, seats: play.seats, model: copy, forkedAt: count))
    let new = plays.count - 1
    copy.round = Int(try view(new, spectator: false, play.seats[seat]).info.round)
    if model.isSealed { plays[new].model.round = copy.round }
    // Seats of players who had quit are taken again; all accept.
    for player in play.seats where player != play.seats[seat] { try accept(new, player) }
  }
}

// MARK: What is compared

extension TurnSimulation {
  private func checkAll() throws {
    for index in plays.indices {
      for seat in plays[index].seats.indices { try check(index, seat, isWhole: true) }
    }
  }

  private func check(_ index: Int, _ seat: Int, isWhole: Bool = false) throws {
    let (play, player) = (plays[index], plays[index].seats[seat])
    let model = play.model
    if play.left.contains(player) { return }
    let view = try view(index, spectator: false, player)
    try same(view.state?.array, model.state, "state")
    try same(view.hidden?.array, model.hidden[seat], "hidden state")
    try same(view.info.next, model.queue.map { play.seats[$0] }, "next players")
    try same(Int(view.info.moveCount), model.moves.count, "number of moves")
    try same(view.info.phase == .ended, model.isOver, "end")
    try same(view.info.phase == .paused, model.isPaused && !model.isOver, "pause")
    try same(
      view.info.seats.map(\.hasMoved), model.isIn.indices.map { model.sealed[$0] != nil },
      "who sealed")
    try same(view.info.hasConditionalMoves, model.lines[seat] != nil, "conditional moves")
    if model.clock > 0 {
      try same(view.info.seats.map(\.clockMilliseconds), model.clocks, "clocks")
    }
    if !model.isOver {
      try same(view.info.dueAt, model.due ?? 0, "time that is left")
      try same(view.info.seats.map { $0.state == .active }, model.isIn, "who plays")
      guard
        view.info.next.allSatisfy({ holder in
          play.seats.firstIndex(of: holder).map { model.isIn[$0] } == true
        })
      else { throw Fault("a player who is out has the turn") }
    }
    if let known = play.states.updateValueReturning(view.info.version, view.state?.array ?? []) {
      try same(view.state?.array, known, "state of version \(view.info.version)")
    }
    plays[index].states[view.info.version] = view.state?.array
    try checkMoves(index, player, from: isWhole ? 0 : max(0, model.moves.count - 5))
    try checkList(player)
  }

  private func checkMoves(_ index: Int, _ player: PlayerID, from: Int) throws {
    let (play, model) = (plays[index], plays[index].model)
    var found: [TurnMove] = []
    var read = ReadMoves()
    (read.context, read.number) = (play.context, 1)
    while from + found.count < model.moves.count {
      read.from = UInt32(from + found.count + 1)
      guard let page = try call(read, as: player)?.moves, !page.isEmpty else { break }
      found += page
    }
    let wanted = model.moves[from...]
    try same(found.map(\.payload.array), wanted.map(\.payload), "moves")
    try same(found.map(\.player), wanted.map { play.seats[$0.player] }, "players of moves")
    try same(found.map { Int($0.index) }, Array(wanted.indices.map { $0 + 1 }), "indexes of moves")
    for (move, wanted) in zip(found, wanted) {
      guard let position = wanted.position else { continue }
      try same(move.next, position.queue.map { play.seats[$0] }, "next players of a move")
      if model.clock > 0 { try same(move.clocks, position.clocks, "clocks of a move") }
    }
  }

  private func checkList(_ player: PlayerID) throws {
    var list = ListTurnGames()
    list.limit = 100
    let waiting = try call(list, as: player)?.games.map(\.context) ?? []
    for play in plays where !play.left.contains(player) {
      guard let seat = play.seats.firstIndex(of: player) else { continue }
      if play.model.isAwaited(seat) && !waiting.contains(play.context) {
        throw Fault("a game that waits for \(player) is not in the list")
      }
      if play.model.isOver && waiting.contains(play.context) {
        throw Fault("a game that is over is in the list")
      }
    }
    if Set(waiting).count != waiting.count { throw Fault("a game is in the list twice") }
  }

  private func same<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
    if found == wanted { return }
    throw Fault("\(what): \(found) is not \(wanted)")
  }
}

extension Dictionary {
  fileprivate func updateValueReturning(_ key: Key, _ value: Value) -> Value? { self[key] }
}
