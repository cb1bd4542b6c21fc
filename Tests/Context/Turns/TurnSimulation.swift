import ContextCore
import Domain
import Operations
import TestKit
import Wire

/// Random calls on one turn-based game and its forks, beside `TurnModel`. Everything that anybody
/// is told is searched for the secrets of others.
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
    /// Whether the newcomer has the seat that was open.
    var isTaken = false

    func hasSeat(_ seat: Int) -> Bool { isTaken || seats[seat] != TurnSimulation.newcomer }
  }

  let driver: ContextDriver
  let seed: UInt64
  var random: RandomSource
  let players: [PlayerID]
  var plays: [Play] = []
  var secretCount: UInt32 = 0
  /// Who may know a secret, by its number.
  var readers: [UInt32: Set<PlayerID>] = [:]
  var counter: UInt64 = 0
  /// The last call that succeeded, to be repeated.
  var repeatLast: (() throws -> Void)?
  /// What was done, for whoever looks for a fault.
  var log: [String] = []
  /// What was done how often.
  var counts: [String: Int] = [:]
  let spectator = PlayerID.sample(77)
  static let newcomer = PlayerID.sample(76)
  var newcomer: PlayerID { Self.newcomer }

  init(seed: UInt64) throws {
    self.seed = seed
    random = .seeded(seed &* 0x9e37_79b9)
    driver = ContextDriver(seed: seed)
    let count = Int.random(in: 2...4, using: &random)
    players = (1...UInt64(count)).map { .sample($0) }
    try begin()
  }

  func chance(_ one: Int, in many: Int) -> Bool {
    Int.random(in: 0..<many, using: &random) < one
  }

  // MARK: Secrets

  private static let mark: [UInt8] = [0xfa, 0xce, 0x5e, 0xc2]

  /// Bytes that only `reader` may be told, until they are revealed.
  func secret(for readers: Set<PlayerID>) -> [UInt8] {
    secretCount += 1
    self.readers[secretCount] = readers
    return Self.mark + secretCount.keyBytes
  }

  func reveal(_ bytes: [UInt8]) {
    for number in secrets(in: bytes) { readers[number] = nil }
  }

  func secrets(in bytes: [UInt8]) -> [UInt32] {
    guard bytes.count >= 8 else { return [] }
    return (0...bytes.count - 8).filter {
      bytes[$0] == 0xfa && Array(bytes[$0..<$0 + 4]) == Self.mark
    }
    .map { start in bytes[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | UInt32($1) } }
  }

  func look(_ bytes: [UInt8], told player: PlayerID, _ what: String) throws {
    for number in secrets(in: bytes) {
      if let readers = readers[number], !readers.contains(player) {
        throw Fault("\(player) was told secret \(number) by \(what)")
      }
    }
  }

  // MARK: Calls

  /// Makes a call, and looks at all that anybody is told by it. Nil where it was refused.
  @discardableResult
  func call<O: Wire.Operation>(
    _ operation: O, as player: PlayerID, key: IdempotencyKey? = nil
  ) throws -> O.Reply? {
    let facts = Facts(
      (players + [spectator, newcomer]).flatMap {
        [
          Fact(FetchBlocks.self, at: $0, FetchBlocks.Reply()),
          Fact(FetchOpenedContexts.self, at: $0, FetchOpenedContexts.Reply()),
        ]
      })
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

  var lastFailure: Failure?

  /// Delivers effects, and looks at what streams and hints tell.
  func drain() throws {
    if let refused = try driver.deliverOwnEffects().first { throw Fault("effect: \(refused)") }
    for (_, event) in try driver.takeEffects(AppendEvent.self) {
      try look(event.body.array, told: event.player, "an event")
    }
    for hint in driver.hints { try look(hint.body, told: hint.player, "a hint") }
    driver.hints = []
  }

  /// A call that changes something, under a key that `repeatLast` uses again.
  func act<O: Wire.Operation>(_ operation: O, as player: PlayerID) throws -> O.Reply?
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
  func expect<O: Wire.Operation>(
    _ operation: O, as player: PlayerID, succeeds: Bool
  ) throws where O.Reply: Equatable {
    let reply = try act(operation, as: player)
    guard (reply != nil) == succeeds else {
      let found = succeeds ? "failed: \(lastFailure ?? Failure())" : "succeeded"
      throw Fault("\(O.name) of \(player) \(found)")
    }
  }

  // MARK: The game

  func begin() throws {
    let context = ContextID.sample(500)
    var open = OpenContext()
    open.context = context
    open.players = (players + [spectator, newcomer]).map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    try driver.call(open, as: players[0], kind: .service)
    try drain()
    var start = StartTurnGame()
    start.context = context
    start.players = players
    start.openSeats = chance(1, in: 2) ? 1 : 0
    start.options.turnTimeoutMilliseconds = 100_000
    start.options.hasSealedRounds = chance(1, in: 3)
    start.options.allowsSpectators = true
    if chance(1, in: 2) { start.options.playerClockMilliseconds = 400_000 }
    start.state = Bytes([0])
    var model = TurnModel(
      players: players.count, open: Int(start.openSeats), isSealed: start.options.hasSealedRounds,
      timeout: 100_000,
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
    let seats = players + (start.openSeats > 0 ? [newcomer] : [])
    plays.append(Play(context: context, seats: seats, model: model))
    for player in players.dropFirst() { try accept(0, player) }
    var watch = SpectateTurnGame()
    (watch.context, watch.number) = (context, 1)
    try expect(watch, as: spectator, succeeds: true)
  }

  func accept(_ index: Int, _ player: PlayerID) throws {
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

  func step(_ index: Int, _ seat: Int) throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<32: try move(index, seat)
    case 32..<40: try talk(index, seat)
    case 40..<44: try stale(index, seat)
    case 44..<50: try repeatLast?()
    case 50..<56: try save(index, seat)
    case 56..<66: try foresee(index, seat)
    case 66..<70, 72..<78: try propose(index, seat)
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
    case 70..<72: try take(index)
    default: try talk(index, seat)
    }
  }

  func version(_ index: Int) throws -> UInt64 {
    let play = plays[index]
    let reader = play.seats.first { !play.left.contains($0) } ?? spectator
    return try view(index, reader).info.version
  }

  func view(_ index: Int, _ player: PlayerID) throws -> TurnGameView {
    var read = ReadTurnGame()
    (read.context, read.number) = (plays[index].context, 1)
    guard let view = try call(read, as: player) else {
      throw Fault("\(player) cannot read: \(lastFailure ?? Failure())")
    }
    return view
  }

  func isHere(_ index: Int, _ seat: Int) -> Bool {
    !plays[index].left.contains(plays[index].seats[seat])
  }

  /// Whether some player is left to ask for the version.
  func isOpen(_ index: Int) -> Bool { plays[index].left.count < plays[index].seats.count }
}
