import BenchPlayers
import Domain
import LeaderboardCore
import Operations
import Storage
import Wire

/// Writes a store by the service's own rules and through its own journal and tables, only without
/// the network and without what waits for each single call: what the rows are is decided in one
/// place.
struct StoreFill {
  /// Submissions in one batch of the journal.
  private static let perBatch = 20_000
  private static let time: Int64 = 1_790_000_000_000
  private static let tenYears: Int64 = 10 * 365 * 24 * 3600 * 1000

  private let store: SQLiteStore
  private let engine: Engine
  private let game: String
  private let keepsAttempts: Bool

  init(directory: String, game: String = "", keepsAttempts: Bool = false) throws {
    store = try SQLiteStore(
      directory: directory, name: Service.leaderboard.name,
      tables: Engine.tables(of: LeaderboardCore.self),
      options: SQLiteOptions(createIfMissing: true))
    engine = Engine(
      core: LeaderboardCore(), partition: .whole, store: store.storeID, lastBatch: store.lastBatch,
      lastTime: store.lastTime, clock: 0, random: .seeded(1))
    engine.load { _, _ in }
    self.game = game
    self.keepsAttempts = keepsAttempts
  }

  func fill(_ board: String, players: Int) throws {
    try commit(try apply(definition(board), on: board, .deploymentOperator))
    for start in stride(from: 0, to: players, by: Self.perBatch) {
      var changes = RowChanges()
      for number in start..<min(players, start + Self.perBatch) {
        var submit = SubmitScore()
        submit.board = board
        submit.value = FilledBoard.value(number)
        let player = FilledBoard.player(number)
        changes.append(try apply(submit, on: board, .player, player))
      }
      try commit(changes)
    }
  }

  /// Expiries of challenges that are no more, in a past or in ten years, each at a key of its own:
  /// the service finds nothing to do when one fires.
  func fillTimers(pending: Int, due: Int) throws {
    for start in stride(from: 0, to: pending, by: Self.perBatch) {
      var changes = RowChanges()
      for number in start..<min(pending, start + Self.perBatch) {
        let key = RoutingKey(reinterpreting: FilledBoard.player(number))
        changes.put(timer(number, on: key, isDue: number < due))
      }
      try commit(changes)
    }
  }

  /// Adds `due` timers that are due, all at the key of one board.
  func fillTimers(of board: String, due: Int) throws {
    let key = RoutingKey(game: game, name: board)
    for start in stride(from: 0, to: due, by: Self.perBatch) {
      var changes = RowChanges()
      for number in start..<min(due, start + Self.perBatch) {
        changes.put(timer(number, on: key, isDue: true))
      }
      try commit(changes)
    }
  }

  private func timer(_ number: Int, on key: RoutingKey, isDue: Bool) -> TimerRow {
    let player = FilledBoard.player(number)
    var expire = ExpireChallenge()
    expire.key = key
    expire.challenge = ChallengeID(high: player.high, low: UInt64(number))
    var row = TimerRow()
    row.key = TimerKey(
      ExpireChallenge.opcode, on: expire.key, item: RoutingKey(reinterpreting: expire.challenge))
    row.due = Self.time + (isDue ? 0 : Self.tenYears)
    row.body = Bytes(expire.encoded)
    return row
  }

  func close() { store.close() }

  /// As the load generator declares it.
  private func definition(_ board: String) -> DefineLeaderboard {
    var define = DefineLeaderboard()
    define.definition.board = board
    define.definition.title = "Benchmark"
    define.definition.aggregation = .latest
    if keepsAttempts { define.definition.attempts = .forever }
    return define
  }

  private func apply<O: Operation>(
    _ operation: O, on board: String, _ kind: PrincipalKind, _ player: PlayerID = PlayerID()
  ) throws -> RowChanges {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: kind, game: game, player: player, device: DeviceID())
    envelope.routingKey = RoutingKey(game: game, name: board)
    let request = Request(opcode: O.opcode, envelope: envelope, body: operation.encoded)
    guard case .done(let outcome) = engine.apply(request, clock: Self.time),
      case .reply = outcome.answer
    else { throw StoreError.other("\(O.name) was refused") }
    return outcome.changes
  }

  /// To the journal, and at once to the tables: rows come in the order of their keys.
  private func commit(_ changes: RowChanges) throws {
    try store.commit(Batch(number: engine.batch, changes: changes), time: Self.time)
    while try store.fold() {}
    engine.startBatch()
  }
}
