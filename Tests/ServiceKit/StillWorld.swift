import Domain
import Storage
import Wire

@testable import ServiceKit

/// A world in which nothing happens by itself.
final class StillWorld: World {
  let store = MemoryStore(Engine.tables(of: SampleCore.self))
  let core = SampleCore()
  let engine: Engine
  private(set) lazy var runner = EngineRunner(
    engine: engine, lastBatch: 0, world: self, log: Log(source: "test", level: level))
  var turns: [() -> Void] = []
  var timers: [() -> Void] = []
  var reads: [() -> Void] = []
  var batches: [Batch] = []

  var times: [Int64] = []
  /// What reads of the store end with, where they fail.
  var readFailure: StoreError?

  private let level: Log.Level

  init(lastTime: Int64 = 0, level: Log.Level = .error) {
    self.level = level
    engine = Engine(
      core: core, partition: .whole, store: store.storeID, lastBatch: 0,
      lastTime: lastTime, clock: 0, random: .seeded(1))
  }

  var clock: Int64 = 1
  var microseconds: UInt64 = 0
  func atEndOfTurn(_ body: @escaping () -> Void) { turns.append(body) }
  func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) { timers.append(body) }
  /// The notes that are durable when all batches submitted so far are.
  private(set) var notesSubmitted: UInt64 = 0
  func submit(_ batch: Batch, time: Int64) {
    notesSubmitted = core.count
    batches.append(batch)
    times.append(time)
  }
  func read(
    _ ranges: [ColdRange],
    _ done: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void
  ) {
    reads.append { [store, readFailure] in
      done(
        Result { () throws(StoreError) in
          if let readFailure { throw readFailure }
          var rows: [ColdRange: [[UInt8]]] = [:]
          for range in ranges { rows[range] = try store.read(range) }
          return rows
        })
    }
  }
  /// The deployment has no process of the service that effects are for.
  var leavesOut = false
  func address(_ service: Service, slot: Int) -> Peers.Address? {
    leavesOut ? nil : Peers.Address(service: service, partition: 0)
  }
  var isAlone = true
  var calls: [(request: Request, done: (Answer) -> Void)] = []
  func isHere(_ address: Peers.Address) -> Bool { isAlone }
  func call(
    _ address: Peers.Address, _ request: Request, deadlineMilliseconds: UInt64,
    _ done: @escaping (Answer) -> Void
  ) { calls.append((request, done)) }
  private(set) var pushes: [Push] = []
  func push(_ push: Push) { pushes.append(push) }

  func take(_ list: ReferenceWritableKeyPath<StillWorld, [() -> Void]>) {
    let bodies = self[keyPath: list]
    self[keyPath: list] = []
    for body in bodies { body() }
  }

  /// Answers the calls to other processes, also those that answers let in.
  func answer(_ answer: (Request) -> Answer) {
    while !calls.isEmpty {
      let (request, done) = calls.removeFirst()
      done(answer(request))
    }
  }

  /// Writes what was submitted and says so, until there is nothing more.
  func commit() throws {
    repeat {
      take(\.turns)
      if !batches.isEmpty { try commitOne() }
    } while !batches.isEmpty || !turns.isEmpty
  }

  /// Writes and reads, until there is nothing more of either.
  func commitAndRead() throws {
    while !turns.isEmpty || !batches.isEmpty || !reads.isEmpty {
      try commit()
      take(\.reads)
    }
  }

  /// Writes the batch under way; what follows from it waits for the end of the turn.
  func commitOne() throws {
    let batch = batches.removeFirst()
    try store.commit(batch, time: 1)
    runner.committed(batch.number)
  }

  func call<O: Wire.Operation>(
    _ operation: O, as kind: PrincipalKind = .player, session: UInt64 = 1,
    key: UInt64 = 7, deadline: UInt64 = .max, trace: TraceID = TraceID(),
    _ done: @escaping (Answer) -> Void
  ) {
    var envelope = ServiceEnvelope()
    envelope.traceID = trace
    envelope.principal.kind = kind
    envelope.session = session
    envelope.routingKey = RoutingKey(high: 0, low: key)
    var request = Request(opcode: O.opcode, envelope: envelope, body: [])
    request.deadline = deadline
    var body = operation.encoded
    unsafe runner.submit(request, body: body.span.bytes, done)
    // They were lent: whoever needs them for longer has a copy.
    for index in body.indices { body[index] = 0xFF }
  }
}
