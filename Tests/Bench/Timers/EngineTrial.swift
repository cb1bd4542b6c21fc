import BenchMachine
import Domain
import Wire

/// What timers cost a service, the changes of rows included and the store left out: calls that set
/// and cancel one, and timers that are taken, read and applied.
struct EngineTrial {
  let pending: Int
  let operations: Int
  private let core = AlarmCore()
  private let engine: Engine

  init(pending: Int, operations: Int) {
    self.pending = pending
    self.operations = operations
    engine = Engine(
      core: core, partition: .whole, store: StoreID(), lastBatch: 0, lastTime: 0,
      clock: 0, random: .seeded(1))
    engine.load { _, _ in }
    // The engine's own maintenance, which is due at each start.
    fireNext()
  }

  func run() -> [(String, String)] {
    let set = nanoseconds(each: pending, setOne)
    let cancel = nanoseconds(each: operations) { call(CancelAlarm(), $0) }
    for number in 0..<operations { setOne(number) }
    let fire = nanoseconds(each: operations) { _ in fireNext() }
    precondition(core.firedCount == operations && engine.refusedTimerCount == 0)
    return [
      ("engine_set_ns", figure(set)), ("engine_cancel_ns", figure(cancel)),
      ("engine_fire_ns", figure(fire)),
    ]
  }

  private func setOne(_ number: Int) { call(SetAlarm(due: Int64(1 + number % 1000)), number) }

  private func call<O: Operation>(_ operation: O, _ number: Int) {
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .player
    envelope.routingKey = RoutingKey(high: UInt64(number) &* 0x9e37_79b9_7f4a_7c15, low: 7)
    finish(Request(opcode: O.opcode, envelope: envelope, body: operation.encoded), [:])
  }

  private func fireNext() {
    guard var request = engine.takeTimer(clock: 2000) else { return }
    if request.timer?.unreadRow != nil { request.fillTimer(from: [TimerRow().encoded]) }
    var rows: [ColdRange: [[UInt8]]] = [:]
    // The audit's, which the engine's maintenance reads.
    if case .needs(let ranges) = engine.apply(request, clock: 2000) {
      for range in ranges { rows[range] = [] }
    }
    finish(request, rows)
  }

  private func finish(_ request: Request, _ rows: [ColdRange: [[UInt8]]]) {
    guard case .done(let outcome) = engine.apply(request, clock: 0, coldRows: rows),
      case .reply = outcome.answer
    else { preconditionFailure("an operation of the trial was refused") }
    if engine.isBatchFull { engine.startBatch() }
  }
}

/// A service that only sets and cancels timers.
private final class AlarmCore: ServiceCore {
  static var service: Service { .leaderboard }
  let settings: SettingValues
  private(set) var firedCount = 0

  init(settings: SettingValues) { self.settings = settings }

  func register(_ tables: inout Tables) {}

  var router: Router {
    var router = Router()
    router.on(SetAlarm.self) { (operation, call, transaction) throws(Stop) in
      transaction.setTimer(Alarm(), on: call.key, at: operation.due)
      return Empty()
    }
    router.on(CancelAlarm.self) { (_, call, transaction) throws(Stop) in
      transaction.cancelTimer(Alarm.self, on: call.key)
      return Empty()
    }
    router.on(Alarm.self) { [unowned self] (_, _, _) throws(Stop) in
      firedCount += 1
      return Empty()
    }
    return router
  }
}

private struct SetAlarm: Operation {
  static let opcode = Opcode(.leaderboard, 0xE0)
  typealias Reply = Empty
  var due: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) { visit.field("due", &due) }
}

private struct CancelAlarm: Operation {
  static let opcode = Opcode(.leaderboard, 0xE1)
  typealias Reply = Empty
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

private struct Alarm: Operation {
  static let opcode = Opcode(.leaderboard, 0xE2)
  typealias Reply = Empty
  static var access: Access { .timersAlone }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
