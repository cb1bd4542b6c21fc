import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// A context with players, and the calls of its turn-based games. Every call comes with the blocks
/// of all players, as the gateway would fetch them.
final class TurnWorld {
  let driver: ContextDriver
  var context: ContextID
  var number: UInt32 = 1
  let players: [PlayerID]
  /// Who blocks whom.
  var blocks: [PlayerID: [PlayerID]] = [:]
  /// How many forks the callers have made.
  var forkCount: UInt32 = 0

  /// - Parameter driver: of another world, to play there as well.
  init(
    _ players: [PlayerID] = [ann, ben], in context: ContextID = .sample(900), seed: UInt64 = 1,
    driver: ContextDriver? = nil
  ) throws {
    self.players = players
    self.driver = driver ?? ContextDriver(seed: seed)
    self.context = context
    try open(context, players)
  }

  func open(_ context: ContextID, _ players: [PlayerID]) throws {
    var operation = OpenContext()
    operation.context = context
    operation.players = players.map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    try driver.call(operation, as: players[0], kind: .service)
    try driver.deliverOwnEffects()
  }

  var facts: Facts {
    Facts(
      (players + [ann, ben, cho, dan, ContextDriver.standIn]).flatMap { player in
        var reply = FetchBlocks.Reply()
        reply.blocked = blocks[player] ?? []
        var opened = FetchOpenedContexts.Reply()
        opened.forks = forkCount
        return [
          Fact(FetchBlocks.self, at: player, reply),
          Fact(FetchOpenedContexts.self, at: player, opened),
        ]
      })
  }

  @discardableResult
  func call<O: Wire.Operation>(
    _ operation: O, as player: PlayerID, idempotency: IdempotencyKey? = nil
  ) throws -> O.Reply {
    let reply = try driver.call(operation, as: player, facts: facts, idempotency: idempotency)
    #expect(try driver.deliverOwnEffects().isEmpty)
    return reply
  }

  /// Starts a game of all players, who all accept.
  @discardableResult
  func start(
    _ seats: [PlayerID]? = nil, state: String = "s0", accepts: Bool = true,
    _ change: (inout StartTurnGame) -> Void = { _ in }
  ) throws -> TurnGameInfo {
    var operation = StartTurnGame()
    operation.context = context
    operation.players = seats ?? players
    operation.state = Bytes(Array(state.utf8))
    change(&operation)
    var info = try call(operation, as: operation.players[0])
    number = info.number
    if accepts {
      for player in operation.players.dropFirst() { info = try answer(player) }
    }
    return info
  }

  @discardableResult
  func answer(_ player: PlayerID, accept: Bool = true) throws -> TurnGameInfo {
    var operation = AnswerTurnGame()
    (operation.context, operation.number, operation.accept) = (context, number, accept)
    return try call(operation, as: player)
  }

  /// - Parameter version: nil for the current one.
  @discardableResult
  func move(
    _ player: PlayerID, _ payload: String, state: String? = nil, hidden: String? = nil,
    next: [PlayerID] = [], version: UInt64? = nil, idempotency: IdempotencyKey? = nil
  ) throws -> TurnGameInfo {
    var operation = MakeMove()
    (operation.context, operation.number) = (context, number)
    operation.version = try version ?? read(player).info.version
    operation.payload = Bytes(Array(payload.utf8))
    operation.state = state.map { Bytes(Array($0.utf8)) }
    operation.hidden = hidden.map { Bytes(Array($0.utf8)) }
    operation.next = next
    return try call(operation, as: player, idempotency: idempotency)
  }

  @discardableResult
  func save(_ player: PlayerID, _ state: String, resolved: [UInt32] = []) throws -> TurnGameInfo {
    var operation = SaveTurnState()
    (operation.context, operation.number) = (context, number)
    operation.version = try read(player).info.version
    operation.state = Bytes(Array(state.utf8))
    operation.resolved = resolved
    return try call(operation, as: player)
  }

  @discardableResult
  func seal(_ player: PlayerID, _ payload: String, round: UInt32) throws -> TurnGameInfo {
    var operation = SealMove()
    (operation.context, operation.number, operation.round) = (context, number, round)
    operation.payload = Bytes(Array(payload.utf8))
    return try call(operation, as: player)
  }

  @discardableResult
  func quit(
    _ player: PlayerID, next: [PlayerID] = [], state: String? = nil, version: UInt64 = 0
  ) throws -> TurnGameInfo {
    var operation = QuitTurnGame()
    (operation.context, operation.number, operation.next) = (context, number, next)
    operation.version = version
    operation.state = state.map { Bytes(Array($0.utf8)) }
    return try call(operation, as: player)
  }

  @discardableResult
  func end(_ player: PlayerID, _ outcomes: [(PlayerID, TurnOutcome)], payload: String = "") throws
    -> TurnGameInfo
  {
    var operation = EndTurnGame()
    (operation.context, operation.number) = (context, number)
    operation.version = try read(player).info.version
    operation.payload = Bytes(Array(payload.utf8))
    operation.outcomes = outcomes.map { player, outcome in
      var given = TurnSeatOutcome()
      (given.player, given.outcome) = (player, outcome)
      return given
    }
    return try call(operation, as: player)
  }

  @discardableResult
  func propose(_ player: PlayerID, _ kind: TurnProposalKind, move: UInt32 = 0) throws
    -> TurnGameInfo
  {
    var operation = ProposeTurnChange()
    (operation.context, operation.number) = (context, number)
    (operation.kind, operation.move) = (kind, move)
    return try call(operation, as: player)
  }

  @discardableResult
  func agree(_ player: PlayerID, accept: Bool = true) throws -> TurnGameInfo {
    var operation = AnswerTurnProposal()
    (operation.context, operation.number) = (context, number)
    operation.proposal = try read(player).info.proposal?.id ?? 0
    operation.accept = accept
    return try call(operation, as: player)
  }

  @discardableResult
  func resume(_ player: PlayerID) throws -> TurnGameInfo {
    var operation = ResumeTurnGame()
    (operation.context, operation.number) = (context, number)
    return try call(operation, as: player)
  }

  /// Each line is written `expected>played>expected>played`.
  @discardableResult
  func foresee(_ player: PlayerID, _ lines: [String], states: Bool = false) throws -> TurnGameInfo {
    var operation = SetConditionalMoves()
    (operation.context, operation.number) = (context, number)
    operation.version = try read(player).info.version
    operation.lines = lines.map { text in
      let words = text.split(separator: ">").map { Bytes(Array($0.utf8)) }
      var line = ConditionalLine()
      line.steps = stride(from: 0, to: words.count - 1, by: 2).map { index in
        var step = ConditionalStep()
        (step.expected, step.payload) = (words[index], words[index + 1])
        if states { step.state = words[index + 1] }
        return step
      }
      return line
    }
    return try call(operation, as: player)
  }

  func ask(_ player: PlayerID, _ others: [PlayerID], _ payload: String) throws -> UInt32 {
    var operation = OpenTurnExchange()
    (operation.context, operation.number, operation.players) = (context, number, others)
    operation.payload = Bytes(Array(payload.utf8))
    return try call(operation, as: player).exchange
  }

  @discardableResult
  func reply(_ player: PlayerID, to exchange: UInt32, _ payload: String) throws -> TurnGameInfo {
    var operation = AnswerTurnExchange()
    (operation.context, operation.number, operation.exchange) = (context, number, exchange)
    operation.payload = Bytes(Array(payload.utf8))
    return try call(operation, as: player)
  }

  func readExchange(_ player: PlayerID, _ exchange: UInt32) throws -> ReadTurnExchange.Reply {
    var operation = ReadTurnExchange()
    (operation.context, operation.number, operation.exchange) = (context, number, exchange)
    return try call(operation, as: player)
  }

  func cancel(_ player: PlayerID, _ exchange: UInt32) throws {
    var operation = CancelTurnExchange()
    (operation.context, operation.number, operation.exchange) = (context, number, exchange)
    try call(operation, as: player)
  }

  func remind(_ player: PlayerID, _ others: [PlayerID]) throws {
    var operation = RemindPlayers()
    (operation.context, operation.number, operation.players) = (context, number, others)
    try call(operation, as: player)
  }

  @discardableResult
  func watch(_ player: PlayerID, _ isWatching: Bool = true) throws -> TurnGameInfo {
    var operation = SpectateTurnGame()
    (operation.context, operation.number, operation.isWatching) = (context, number, isWatching)
    return try call(operation, as: player)
  }

  func fork(_ player: PlayerID, at move: UInt32, _ seats: [PlayerID]? = nil) throws -> ContextID {
    var operation = ForkTurnGame()
    (operation.context, operation.number, operation.move) = (context, number, move)
    operation.players = seats ?? players
    let fork = try call(operation, as: player).context
    settle()
    return fork
  }

  /// Those of games: an engine may have one of its own.
  var timers: [TimerRow] {
    (driver.rows[TimerRow.tableID] ?? [:]).values.compactMap { try? TimerRow(decoding: $0) }
      .filter { (0x40..<0x70).contains($0.key.opcode & 0xff) }
  }

  /// Serves the timers that are due now and delivers effects, until nothing is left.
  func settle() {
    while !driver.runTimers().isEmpty
      || driver.engine.nextTimerDue.map({ $0 <= driver.clock }) == true
    { _ = try? driver.deliverOwnEffects() }
    _ = try? driver.deliverOwnEffects()
  }

  func pass(_ milliseconds: Int64) throws {
    driver.pass(milliseconds)
    try driver.deliverOwnEffects()
  }

  func read(_ player: PlayerID, number: UInt32? = nil) throws -> TurnGameView {
    var operation = ReadTurnGame()
    (operation.context, operation.number) = (context, number ?? self.number)
    return try driver.call(operation, as: player)
  }

  func moves(_ player: PlayerID, from: UInt32 = 1, limit: UInt32 = 64, number: UInt32? = nil) throws
    -> [TurnMove]
  {
    var operation = ReadMoves()
    (operation.context, operation.number) = (context, number ?? self.number)
    (operation.from, operation.limit) = (from, limit)
    return try driver.call(operation, as: player).moves
  }

  func list(_ player: PlayerID, _ filter: TurnListFilter = .waiting) throws -> [TurnListEntry] {
    var operation = ListTurnGames()
    operation.filter = filter
    return try driver.call(operation, as: player).games
  }
}

extension TurnGameView {
  var text: String? { state.map { String(decoding: $0.array, as: UTF8.self) } }
  var hiddenText: String? { hidden.map { String(decoding: $0.array, as: UTF8.self) } }
}

extension TurnMove {
  var text: String { String(decoding: payload.array, as: UTF8.self) }
}

let day: Int64 = 24 * 3600 * 1000
