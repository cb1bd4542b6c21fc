import Domain
import Storage
import Wire

@testable import ServiceKit

/// A world whose time passes from one happening to the next. What is on the disk outlives it.
final class ClockedWorld: World {
  static let batchMilliseconds: UInt64 = 3
  static let readMilliseconds: UInt64 = 1

  let core = SampleCore()
  let engine: Engine
  private let store: MemoryStore
  let metrics = Metrics(.service)
  private(set) lazy var runner = EngineRunner(
    engine: engine, lastBatch: store.lastBatch, world: self,
    log: Log(source: "test", level: level), metrics: metrics)
  private let level: Log.Level
  /// Milliseconds; in order of time, and among equal times as they were asked for.
  private var happenings: [(at: UInt64, body: () -> Void)] = []
  private(set) var milliseconds: UInt64 = 0
  /// How far the wall clock is ahead of a start at 1,000,000.
  var wallOffset: Int64 = 0
  private var steady: SteadyClock

  /// - Parameter gainMax: how far ahead of what is explained the wall clock is believed.
  init(
    on disk: MemoryDisk = MemoryDisk(), level: Log.Level = .error, gainMax: Int64 = .max
  ) throws {
    self.level = level
    store = MemoryStore(Engine.tables(of: SampleCore.self), on: disk)
    engine = Engine(
      core: core, partition: .whole, store: store.storeID, lastBatch: store.lastBatch,
      lastTime: store.lastTime, clock: 0, random: .seeded(1))
    steady = SteadyClock(
      time: max(store.lastTime, 1_000_000), microseconds: 0, gainMillisecondsMax: gainMax)
    try engine.load(store.load)
    runner.start()
  }

  /// What is still to happen by itself.
  var standingCount: Int { happenings.count }

  /// Takes the next happening; false when there is none until a time.
  func step(until end: UInt64 = .max) -> Bool {
    guard let first = happenings.first, first.at <= end else {
      if end != .max { milliseconds = max(milliseconds, end) }
      return false
    }
    happenings.removeFirst()
    milliseconds = max(milliseconds, first.at)
    first.body()
    return true
  }

  func run(until end: UInt64 = .max) { while step(until: end) {} }

  var clock: Int64 {
    steady.now(
      inTurn: milliseconds, wall: 1_000_000 + Int64(milliseconds) + wallOffset,
      microseconds: microseconds)
  }
  /// As a `ServiceNode` does when it sees that the wall clock was set.
  func clockChanged() {
    steady.wallClockChanged()
    runner.clockChanged()
  }
  var microseconds: UInt64 { milliseconds * 1000 }
  func atEndOfTurn(_ body: @escaping () -> Void) { after(0, body) }
  func after(_ wait: UInt64, _ body: @escaping () -> Void) {
    let at = milliseconds + wait
    let place = happenings.firstIndex { $0.at > at } ?? happenings.count
    happenings.insert((at, body), at: place)
  }
  private(set) var batchCount = 0
  func submit(_ batch: Batch, time: Int64) {
    batchCount += 1
    after(Self.batchMilliseconds) { [self] in
      do { try store.commit(batch, time: time) } catch { preconditionFailure("\(error)") }
      after(0) { [self] in runner.committed(batch.number) }
    }
  }
  /// Whether a range cannot be read.
  var isUnreadable: (ColdRange) -> Bool = { _ in false }
  func read(
    _ ranges: [ColdRange],
    _ done: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void
  ) {
    after(Self.readMilliseconds) { [self] in
      done(
        Result { () throws(StoreError) in
          var rows: [ColdRange: [[UInt8]]] = [:]
          for range in ranges {
            if isUnreadable(range) { throw .other("a test's") }
            rows[range] = try store.read(range)
          }
          return rows
        })
    }
  }
  func address(_ service: Service, slot: Int) -> Peers.Address? {
    Peers.Address(service: service, partition: 0)
  }
  func isHere(_ address: Peers.Address) -> Bool { true }
  func call(
    _ address: Peers.Address, _ request: Request, deadlineMilliseconds: UInt64,
    _ done: @escaping (Answer) -> Void
  ) {}
  func push(_ push: Push) {}

  func call<O: Wire.Operation>(
    _ operation: O, key: UInt64 = 7, _ done: @escaping (Answer) -> Void = { _ in }
  ) {
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .player
    envelope.session = 1
    envelope.routingKey = RoutingKey(high: 0, low: key)
    runner.submit(Request(opcode: O.opcode, envelope: envelope, body: operation.encoded), done)
  }

  /// A note with a number, when so many milliseconds have passed.
  ///
  /// - Parameter item: names the timer in place of the number.
  func note(
    _ number: UInt64, in wait: Int64, key: UInt64 = 7, item: UInt64? = nil, isBlind: Bool = false,
    isInMemory: Bool = false
  ) {
    var later = Later()
    later.number = number
    later.item = item ?? number
    later.due = clock + wait
    later.isBlind = isBlind
    later.isInMemory = isInMemory
    call(later, key: key)
  }

  /// No note after all.
  func cancel(_ number: UInt64, key: UInt64 = 7) {
    var later = Later()
    later.item = number
    later.isCancelled = true
    call(later, key: key)
  }

  /// Where the row is of a note's timer.
  static func row(_ number: UInt64, key: UInt64 = 7) -> ColdRange {
    let timer = TimerKey(
      NumberedNote.opcode, on: RoutingKey(high: 0, low: key),
      item: RoutingKey(high: 0, low: number))
    return .row(TimerRow.self, timer)
  }

  /// The numbers of the notes that have one.
  var notes: [UInt64] {
    get throws {
      let range = ColdRange(
        table: NoteRow.tableID, from: SampleCore.firstNumbered.keyBytes, through: [0xff],
        limit: .max)
      return try store.read(range).map {
        try NoteRow(decoding: $0).key - SampleCore.firstNumbered
      }
    }
  }
  var timerCount: Int {
    get throws {
      try store.read(ColdRange(table: TimerRow.tableID, from: [], through: [], limit: .max)).count
    }
  }
}
