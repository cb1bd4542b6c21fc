import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Events that wait for the push hook.
@Suite struct PushQueueTests {
  let world = World(settings: [.streamEventsKept: 0, .pushHookDelay: 30])
  let anna: PlayerID
  let told = Told()

  final class Told { var dues: [Int64] = [] }

  init() throws {
    anna = try world.player(1, session: 7)
    setUp()
  }

  private func setUp() {
    world.driver.core.eventQueued = { [told] in told.dues.append($0) }
  }

  private var now: Int64 { world.driver.clock }

  /// Those that wait, the first one first.
  private var rows: [PushQueueRow] {
    get throws {
      try world.driver.rows[PushQueueRow.tableID, default: [:]]
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .map { try PushQueueRow(decoding: $0.value) }
    }
  }

  private func begin(_ row: PushQueueRow) throws -> BeginPush.Reply {
    var begin = BeginPush()
    (begin.player, begin.sequence) = (row.player, row.sequence)
    (begin.event, begin.due) = (row.key.event, row.key.due)
    return try world.call(begin, as: PlayerID(), game: "", kind: .service)
  }

  private func end(_ row: PushQueueRow, next: Int64 = 0, attempts: UInt32 = 0) throws {
    var end = EndPush()
    (end.player, end.sequence) = (row.player, row.sequence)
    (end.event, end.due) = (row.key.event, row.key.due)
    (end.nextDue, end.attempts) = (next, attempts)
    try world.call(end, as: PlayerID(), game: "", kind: .service, trace: row.trace)
  }

  private func acknowledge(_ through: UInt64) throws {
    var acknowledge = Acknowledge()
    acknowledge.through = through
    try world.call(acknowledge, as: anna, game: "game")
  }

  @Test("an event has the trace of what has led to it for as long as it waits, also over a start")
  func trace() throws {
    let trace = TraceID(high: 3, low: 5)
    try world.append(1, to: anna, trace: trace)
    try world.append(1, to: anna)
    #expect(try Set(rows.map(\.trace)) == [trace, TraceID()])
    let row = try #require(try rows.first { $0.trace == trace })
    try end(row, next: now + 1000, attempts: 1)
    try world.restart()
    #expect(try rows.first { $0.attempts == 1 }?.trace == trace)
  }

  @Test("without a push hook no event waits for one")
  func off() throws {
    world.driver.core.eventQueued = nil
    try world.append(3, to: anna)
    #expect(try rows.isEmpty)
  }

  @Test("2.8 an event for a player who is away is due at once, for a connected one a while later")
  func due() throws {
    try world.append(1, to: anna)
    // The player is connected, but not in this game.
    try world.append(1, to: anna, game: "other")
    world.driver.close(session: 7)
    try world.append(1, to: anna)
    let found = try rows
    #expect(found.map { $0.key.due - now } == [0, 0, 30_000])
    // Rows that are due at one time stand in the order of their events' ids.
    #expect(found.last?.sequence == 1)
    #expect(found.first { $0.sequence == 2 }?.game == "other")
    #expect(found.first { $0.sequence == 3 }?.game == "game")
    #expect(found.allSatisfy { $0.player == anna && $0.since == now && $0.attempts == 0 })
    #expect(told.dues == [now + 30_000, now, now])
    #expect(try Set(found.map(\.key.event)) == Set(stream().map(\.id)))
  }

  private func stream() throws -> [StreamEvent] {
    try (world.stream(of: anna) + world.stream(of: anna, game: "other"))
  }

  @Test("2.8 the event itself is told when it is sent")
  func content() throws {
    try world.append(2, to: anna)
    let row = try #require(try rows.last)
    let reply = try begin(row)
    #expect(!reply.isWithdrawn && reply.kind == 0x0177 && reply.time == now)
    let event = try #require(try stream().first { $0.id == row.key.event })
    #expect(event.body == reply.body && event.sequence == row.sequence)
    try end(row)
    #expect(try rows.count == 1)
    // It was delivered: whoever asks again for it is told to leave it.
    #expect(try rows.first?.key.event != row.key.event)
  }

  /// A connection that is believed open may be dead: being pushed to says nothing.
  @Test("2.8 only an acknowledgement takes an event from the push hook, and of one game only")
  func acknowledged() throws {
    try world.append(2, to: anna)
    try world.append(1, to: anna, game: "other")
    try world.append(1, to: anna)
    try acknowledge(3)
    let found = try rows.sorted { $0.sequence < $1.sequence }
    #expect(found.map(world.driver.core.isUnread) == [false, false, true, true])
    let answers = try found.map { try begin($0).isWithdrawn }
    #expect(answers == [true, true, false, false])
    #expect(try Set(rows.map(\.sequence)) == [3, 4])
  }

  @Test("an event that is to wait longer waits under another time, also over a restart")
  func postponed() throws {
    world.driver.close(session: 7)
    try world.append(1, to: anna)
    let first = try #require(try rows.first)
    try end(first, next: now + 5_000, attempts: 1)
    try world.restart()
    setUp()
    let second = try #require(try rows.first)
    #expect(try rows.count == 1)
    #expect(second.key == PushQueueKey(due: now + 5_000, event: first.key.event))
    #expect(second.attempts == 1 && second.since == first.since && second.game == "game")
    #expect(try !begin(second).isWithdrawn)
    // What still holds the row as it was.
    try end(first, next: now + 9_000, attempts: 1)
    #expect(try rows.map(\.key) == [second.key])
    #expect(try begin(first).isWithdrawn)
    #expect(try rows.map(\.key) == [second.key])
    // The same time again is another one, so that no row is put over another.
    try end(second, next: second.key.due, attempts: 2)
    #expect(try rows.map(\.key.due) == [second.key.due + 1])
  }

  @Test("2.8 an event that is not kept any more waits no longer, whatever became of it")
  func removed() throws {
    world.driver.close(session: 7)
    try world.append(200, to: anna)
    let first = try #require(try rows.first)
    try end(first, next: now + 5_000, attempts: 1)
    try world.open(anna, session: 8)
    try acknowledge(200)
    world.driver.runTimers()
    // The sweep has taken the events, in whole steps.
    let kept = try Set(stream().map(\.id))
    #expect(kept.count < 64)
    #expect(try Set(rows.map(\.key.event)) == kept)
    try end(first, next: now + 9_000, attempts: 2)
    #expect(try Set(rows.map(\.key.event)) == kept)
  }

  @Test("2.8 an event that has got too old waits no longer")
  func expired() throws {
    world.driver.close(session: 7)
    try world.append(100, to: anna)
    world.driver.pass(61 * World.day)
    #expect(try stream().isEmpty && rows.isEmpty)
  }

  @Test("2.11 a gap is told in the stream alone")
  func gaps() throws {
    let world = World(settings: [.streamEventsMax: 10, .streamEventsPerSender: 10])
    let ben = try world.player(2)
    world.driver.core.eventQueued = { _ in }
    try world.append(50, to: ben)
    let gaps = try world.stream(of: ben).filter { $0.kind == EventsDropped.opcode.rawValue }
    let count = try world.stream(of: ben).count - gaps.count
    #expect(gaps.count == 1)
    #expect(world.driver.rows[PushQueueRow.tableID]?.count == count)
  }

  @Test("nobody but a service's process asks for events of the push hook")
  func access() throws {
    try world.append(1, to: anna)
    for kind in [PrincipalKind.player, .gameServer, .deploymentOperator] {
      var begin = BeginPush()
      begin.player = anna
      let refusal = try failure { try world.call(begin, as: anna, game: "game", kind: kind) }
      #expect(refusal?.code == .notAllowed)
      var end = EndPush()
      end.player = anna
      let other = try failure { try world.call(end, as: anna, game: "game", kind: kind) }
      #expect(other?.code == .notAllowed)
    }
  }
}
