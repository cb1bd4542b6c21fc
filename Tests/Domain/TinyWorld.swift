@testable import Domain
import TestKit
import Wire

/// An engine over the tiny core, called directly, with what it made durable.
final class TinyWorld {
  static let store = StoreID(high: 9, low: 9)
  private(set) var core = TinyCore()
  private(set) var engine: Engine
  private(set) var rows: [UInt16: [[UInt8]: [UInt8]]] = [:]
  var clock: Int64 = 1_000_000
  let seed: UInt64
  private let answers: AnswerBounds
  private let storeID: StoreID

  init(
    partition: Partition = .whole, seed: UInt64 = 1, answers: AnswerBounds = AnswerBounds(),
    store: StoreID = TinyWorld.store
  ) {
    self.seed = seed
    self.answers = answers
    storeID = store
    engine = Engine(
      core: core, partition: partition, store: store, lastBatch: 0, lastTime: 0,
      clock: 0, random: .seeded(seed), answers: answers)
    engine.load { _, _ in }
  }

  func envelope(_ player: PlayerID, key counter: UInt64 = 0, floor: UInt64 = 0) -> ServiceEnvelope {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(kind: .player, game: "g", player: player, device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: player)
    envelope.idempotency = IdempotencyKey(instance: 5, counter: counter, floor: floor)
    return envelope
  }

  /// One call with the idempotency counter `key`.
  func call<O: Operation>(
    _ operation: O, _ player: PlayerID = .sample(1), key: UInt64 = 0, floor: UInt64 = 0
  ) -> Outcome {
    apply(
      Request(
        opcode: O.opcode, envelope: envelope(player, key: key, floor: floor),
        body: operation.encoded))
  }

  func add(_ amount: Int64, key: UInt64 = 0, floor: UInt64 = 0) -> Outcome {
    var operation = Add()
    operation.amount = amount
    return call(operation, key: key, floor: floor)
  }

  /// Runs a request to its end and keeps what it changed.
  func apply(_ request: Request) -> Outcome {
    var cold: [ColdRange: [[UInt8]]] = [:]
    while true {
      switch engine.apply(request, clock: clock, coldRows: cold) {
      case .done(let outcome):
        keep(outcome.changes)
        return outcome
      case .needs(let ranges):
        for range in ranges { cold[range] = read(range) }
      }
    }
  }

  func read(_ range: ColdRange) -> [[UInt8]] {
    (rows[range.table] ?? [:]).filter { range.contains($0.key) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.prefix(range.limit).map(\.value)
  }

  /// Takes the next timer that is due, and reads its row.
  func takeTimer() -> Request? {
    guard var request = engine.takeTimer(clock: clock) else { return nil }
    if let range = request.timer?.unreadRow { request.fillTimer(from: read(range)) }
    return request
  }

  /// Serves the timers that are due.
  @discardableResult
  func runTimers() -> [Outcome] {
    var outcomes: [Outcome] = []
    while let request = takeTimer() { outcomes.append(apply(request)) }
    return outcomes
  }

  func keep(_ changes: RowChanges) {
    for change in decodedChanges(changes) {
      switch change.kind {
      case .put: rows[change.table, default: [:]][change.key] = change.bytes
      case .remove: rows[change.table]?[change.key] = nil
      }
    }
    engine.startBatch()
  }

  /// A row that is there at the next restart.
  func store<R: Row>(_ row: R) { rows[R.tableID, default: [:]][row.key.keyBytes] = row.encoded }

  /// A row that nobody could have written.
  func store(encoded row: [UInt8], key: [UInt8], table: UInt16) {
    rows[table, default: [:]][key] = row
  }

  /// A new process over the same rows.
  func restart() throws { try restore(backup) }

  /// What a copy of the store has.
  struct Backup {
    var rows: [UInt16: [[UInt8]: [UInt8]]]
    var lastBatch: UInt64
    var lastTime: Int64

    /// As `--restored` does.
    mutating func mark(at clock: Int64) {
      lastTime = max(lastTime, clock)
      let previous = rows[RestoreRow.tableID]?.values.first
      let row = RestoreRow(
        after: previous.flatMap { try? RestoreRow(decoding: $0) }, lastBatch: lastBatch,
        time: lastTime)
      rows[RestoreRow.tableID, default: [:]][row.key.keyBytes] = row.encoded
      lastBatch += 1
    }
  }

  /// - Precondition: something was kept in this life of the process.
  var backup: Backup {
    Backup(rows: rows, lastBatch: engine.batch - 1, lastTime: engine.time(clock: 0))
  }

  /// A new process over rows of before.
  ///
  /// - Parameter isMarked: the store is marked as put back before the process starts.
  func restore(_ backup: Backup, isMarked: Bool = false) throws {
    var backup = backup
    if isMarked { backup.mark(at: clock) }
    rows = backup.rows
    let erased = engine.erased.all
    core = TinyCore()
    engine = Engine(
      core: core, partition: engine.partition, store: storeID, lastBatch: backup.lastBatch,
      lastTime: backup.lastTime, clock: clock, random: .seeded(seed), answers: answers)
    engine.haveErased(erased)
    try engine.load { table, take in
      for row in (rows[table.id] ?? [:]).values { try unsafe take(row.span.bytes) }
    }
  }

  /// The slot of the player who calls unless another is named.
  let slot = UInt16(Slot.of(RoutingKey(reinterpreting: PlayerID.sample(1))))

  /// The field that a call was refused for.
  func refusal(_ outcome: Outcome) -> String? {
    guard case .failure(let failure) = outcome.answer else { return nil }
    return failure.code == .invalidArgument ? failure.argument : "\(failure.code)"
  }

  var total: Int64 { core.tallies[.sample(1)]?.total ?? 0 }
}

/// The changes of an outcome; what our own engine wrote can be read.
func decodedChanges(_ changes: RowChanges) -> [RowChange] {
  guard let decoded = try? changes.decoded() else { preconditionFailure("unreadable changes") }
  return decoded
}

extension Outcome {
  /// Each change as `put 16` or `remove 1`.
  var summary: [String] {
    decodedChanges(changes).map { "\($0.kind) \($0.table)" }
  }

  var failureCode: FailureCode? {
    if case .failure(let failure) = answer { return failure.code }
    return nil
  }

  func reply<M: Message>(_ type: M.Type) throws -> M {
    guard case .reply(let bytes) = answer else { throw Failure(.malformed, "\(answer)") }
    return try M(decoding: bytes)
  }
}
