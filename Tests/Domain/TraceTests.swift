import TestKit
import Testing
import Wire

@testable import Domain

/// Whatever a command leads to has the trace of what has led to the command.
struct TraceTests {
  private let world = TinyWorld()
  private let trace = TraceID(high: 0xabcd, low: 0x1234)

  private func share(_ amount: Int64 = 5) -> Request {
    var share = Share()
    (share.players, share.amount) = ([.sample(1)], amount)
    var envelope = world.envelope(.sample(2))
    envelope.traceID = trace
    return Request(opcode: Share.opcode, envelope: envelope, body: share.encoded)
  }

  @Test func anEffectKeepsItOverARestart() throws {
    let effect = try #require(world.apply(share()).effects.first)
    #expect(effect.trace == trace)
    #expect(world.engine.delivery(of: effect).envelope.traceID == trace)
    try world.restart()
    let open = try #require(world.engine.openEffects.first)
    #expect(open.trace == trace)
    #expect(world.engine.delivery(of: open).envelope.traceID == trace)
  }

  @Test func anEffectOnAKeyOfTheSameProcessHasIt() throws {
    world.engine.handsOutOwnEffects = true
    guard case .done(let outcome) = world.engine.apply(share(), clock: world.clock) else {
      Issue.record("it waits for rows")
      return
    }
    #expect(outcome.ownEffects.map(\.trace) == [trace])
    // One that has to go through the outbox all the same is written down with it.
    let outcomes = world.engine.applyOwnEffects(of: outcome, clock: world.clock) { _ in false }
    #expect(outcomes.flatMap(\.effects).map(\.trace) == [trace])
  }

  @Test func aParkedEffectHasItAndAllElse() throws {
    let effect = try #require(world.apply(share(-1)).effects.first)
    world.keep(world.engine.park(effect.key, Failure(.invalidArgument, "no"), clock: world.clock))
    let parked = try (world.rows[ParkedRow.tableID] ?? [:]).values.map(ParkedRow.init(decoding:))
    #expect(parked.map(\.trace) == [trace])
    #expect(parked.map(\.effect) == [effect.effect])
  }

  @Test func rowsOfAnOlderVersionHaveNone() throws {
    let effect = try #require(world.apply(share()).effects.first)
    // The time is after the trace.
    var older = try OutboxRow(decoding: Array(effect.encoded.dropLast(16 + 8)))
    #expect(older.trace.isNil && older.time == 0)
    (older.trace, older.time) = (trace, effect.time)
    #expect(older == effect)
    var row = AuditRow()
    (row.trace, row.traceHigh, row.bodyHash) = (1, 2, 3)
    // The operator's name, which is empty, is after the high half.
    let nameless = try AuditRow(decoding: Array(row.encoded.dropLast(4)))
    #expect(nameless.traceHigh == 2 && nameless.operatorName.isEmpty)
    let read = try AuditRow(decoding: Array(row.encoded.dropLast(4 + 8)))
    #expect(read.trace == 1 && read.traceHigh == 0 && read.bodyHash == 3)
  }

  @Test func theAuditHasBothHalves() throws {
    var declare = Declare()
    (declare.name, declare.total) = ("stars", 5)
    var envelope = world.envelope(.sample(7))
    envelope.principal.kind = .deploymentOperator
    envelope.traceID = trace
    _ = world.apply(
      Request(opcode: Declare.opcode, envelope: envelope, body: declare.encoded))
    let rows = try (world.rows[AuditRow.tableID] ?? [:]).values.map(AuditRow.init(decoding:))
    #expect(rows.map(\.trace) == [trace.low] && rows.map(\.traceHigh) == [trace.high])
  }

  /// A timer's firing is a cause of its own, which is not that of the call that has set it.
  @Test func eachFiringOfATimerBeginsOne() throws {
    func fire(_ world: TinyWorld, item: UInt64) throws -> TraceID {
      var remind = Remind()
      (remind.due, remind.item) = (world.clock, RoutingKey(high: 0, low: item))
      (remind.reminder.item, remind.reminder.amount) = (remind.item, 1)
      var envelope = world.envelope(.sample(1))
      envelope.traceID = trace
      _ = world.apply(Request(opcode: Remind.opcode, envelope: envelope, body: remind.encoded))
      let timer = try #require(world.takeTimer())
      _ = world.apply(timer)
      return timer.envelope.traceID
    }
    let fired = try [1, 1, 2].map { try fire(world, item: $0) }
    #expect(Set(fired + [trace, TraceID()]).count == 5, "\(fired)")
    let again = TinyWorld()
    #expect(try [1, 1, 2].map { try fire(again, item: $0) } == fired, "nothing random is drawn")
  }
}
