import Domain
import LeaderboardCore
import Operations
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// See `ReRankMain`.
final class ReRankTrial {
  private let players: UInt64
  private let key = RoutingKey(game: "game", name: "board")
  private let engine = Engine(
    core: LeaderboardCore(), partition: .whole, store: StoreID(high: 1, low: 1), lastBatch: 0,
    lastTime: 0, clock: 0, random: .seeded(1))
  private var random = RandomSource.seeded(2)
  private var effects: [OutboxRow] = []

  init(players: UInt64) { self.players = players }

  /// As many entries as there are to be, with values and players at random.
  func load() throws {
    var define = DefineLeaderboard()
    define.definition.board = "board"
    try call(define, as: .deploymentOperator)
    try engine.load { table, take in
      guard table.id == EntryRow.tableID else { return }
      var row = EntryRow()
      row.key.board = key
      row.date = 1_700_000_000_000
      for arrival in 1...players {
        row.key.player = newPlayer()
        row.value = Int64(bitPattern: random.next())
        row.arrival = arrival
        try unsafe take(row.encoded.span.bytes)
      }
    }
  }

  func run() throws {
    var operation = ReRankLeaderboard()
    operation.board = "board"
    operation.sortOrder = .lowFirst
    var times = [try timed { try call(operation, as: .deploymentOperator) }]
    var stepsUntilRanked = 0
    while let row = effects.popLast() {
      times.append(try timed { try answer(engine.delivery(of: row)) })
      _ = engine.delivered(row.key)
      if stepsUntilRanked == 0, try isEnded() { stepsUntilRanked = times.count }
      try submit()
    }
    let total = times.reduce(0, +)
    let longest = times.indices.max { times[$0] < times[$1] } ?? 0
    times.sort()
    print(
      "{\"players\":\(players),\"steps_until_ranked\":\(stepsUntilRanked),"
        + "\"steps\":\(times.count),\"seconds\":\(total),"
        + "\"mean_us\":\(total / Double(times.count) * 1e6),"
        + "\"p99_us\":\(times[times.count * 99 / 100] * 1e6),"
        + "\"longest_us\":\(times[times.count - 1] * 1e6),\"longest_step\":\(longest)}")
  }

  /// Processor time: what other processes use does not count.
  private func timed(_ body: () throws -> Void) rethrows -> Double {
    let start = clock()
    try body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }

  private func newPlayer() -> PlayerID { PlayerID(high: random.next(), low: random.next()) }

  private func submit() throws {
    var operation = SubmitScore()
    operation.board = "board"
    operation.value = Int64(bitPattern: random.next())
    try call(operation, as: .player)
  }

  private func isEnded() throws -> Bool {
    var operation = DescribeLeaderboard()
    operation.board = "board"
    return try call(operation, as: .deploymentOperator).reRank?.endDate != nil
  }

  @discardableResult
  private func call<O: Operation>(_ operation: O, as kind: PrincipalKind) throws -> O.Reply {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: kind, game: "game", player: newPlayer(), device: DeviceID())
    envelope.routingKey = key
    return try O.Reply(
      decoding: answer(Request(opcode: O.opcode, envelope: envelope, body: operation.encoded)))
  }

  @discardableResult
  private func answer(_ request: Request) throws -> [UInt8] {
    switch engine.apply(request, clock: 1_700_000_000_000) {
    case .needs: throw Failure(.unavailable, "nothing is read from a store")
    case .done(let outcome):
      engine.startBatch()
      effects += outcome.effects
      switch outcome.answer {
      case .reply(let body): return body
      case .failure(let failure): throw failure
      }
    }
  }
}

/// As the core writes an entry.
struct EntryRow: Row {
  static let tableID: UInt16 = 17
  static let tableName = "entry"
  var key = Key()
  var value: Int64 = 0
  var context: UInt64 = 0
  var date: Int64 = 0
  var arrival: UInt64 = 0

  struct Key: Message, Hashable {
    var board = RoutingKey()
    var player = PlayerID()
    static var isFrozen: Bool { true }
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("board", &board)
      visit.field("player", &player)
    }
  }

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("value", &value)
    visit.field("context", &context)
    visit.field("date", &date)
    visit.field("arrival", &arrival)
  }
}
