import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct TurnTimeTests {
  let world: TurnWorld

  init() throws { world = try TurnWorld([ann, ben, cho]) }

  @Test(
    "1.9 after a week the turn passes to the next, also over a restart; a reminder comes before")
  func timeout() throws {
    try world.start()
    try world.pass(6 * day)
    let reminded = try world.driver.streamEvents(TurnReminder.self)
    #expect(reminded.map(\.player) == [ann] && reminded.allSatisfy { $0.event.player.isNil })
    try world.driver.restart()
    try world.pass(day - 1)
    #expect(try world.read(ann).info.next.first == ann)
    try world.pass(1)
    let info = try world.read(ann).info
    #expect(info.next == [ben, cho] && info.version == 2 && info.moveCount == 0)
    let passed = try world.driver.streamEvents(TurnPassed.self)
    #expect(passed.map(\.player) == [ben] && passed.allSatisfy { $0.event.player.isNil })
    #expect(failure { try world.move(ann, "late", version: 1) }?.code == .conflict)
    #expect(try world.move(ben, "b1").moveCount == 1)
  }

  @Test("1.9 when everyone has let the time pass, it stands still until somebody moves")
  func idle() throws {
    try world.start()
    try world.pass(100 * 7 * day)
    let info = try world.read(ann).info
    #expect(info.next.first == ann && info.version == 4 && info.dueAt == 0)
    #expect(world.timers.isEmpty)
    #expect(try world.move(ann, "a1").dueAt == world.driver.clock + 7 * day)
  }

  @Test("1.11 a clock for each move puts out who takes longer")
  func moveClock() throws {
    try world.start { $0.options.moveClockMilliseconds = 60_000 }
    try world.pass(59_999)
    try world.move(ann, "a1")
    try world.pass(60_000)
    let info = try world.read(ann).info
    #expect(info.seats[1].outcome == .timeExpired && info.seats[1].state == .done)
    #expect(info.next.first == cho)
  }

  @Test("1.11 a clock for the whole game runs in the own turns alone, and stands in a pause")
  func gameClock() throws {
    try world.start { $0.options.playerClockMilliseconds = 100_000 }
    try world.pass(30_000)
    #expect(try world.move(ann, "a1").seats.map(\.clockMilliseconds) == [70_000, 100_000, 100_000])
    try world.pass(10_000)
    try world.propose(ben, .pause)
    try world.agree(ann)
    #expect(try world.agree(cho).phase == .paused)
    #expect(world.timers.isEmpty)
    try world.pass(30 * day)
    #expect(failure { try world.move(ben, "b1") }?.code == .conflict)
    let resumed = try world.resume(ann)
    #expect(resumed.phase == .active && resumed.dueAt == world.driver.clock + 90_000)
    try world.pass(5_000)
    let moved = try world.move(ben, "b1", next: [ann])
    #expect(moved.seats.map(\.clockMilliseconds) == [70_000, 85_000, 100_000])
    try world.pass(70_000)
    #expect(try world.read(ben).info.seats[0].outcome == .timeExpired)
    #expect(try world.moves(ben).map(\.clocks).last == [70_000, 85_000, 100_000])
  }

  @Test("1.11 a pause needs everybody; a refusal, a move and a time-out end the proposal")
  func pause() throws {
    try world.start()
    #expect(try world.propose(ann, .pause).proposal?.agreed == [ann])
    #expect(try world.driver.streamEvents(TurnProposalChanged.self).map(\.player) == [ben, cho])
    #expect(failure { try world.propose(ben, .pause) }?.code == .conflict)
    #expect(try world.list(ben).count == 1)
    #expect(try world.agree(ben).phase == .active)
    #expect(try world.agree(cho, accept: false).proposal == nil)
    try world.propose(ann, .pause)
    #expect(try world.move(ann, "a1").proposal == nil)
    #expect(failure { try world.agree(ben) }?.argument == "proposal")
    try world.propose(ann, .pause)
    try world.pass(7 * day)
    #expect(failure { try world.agree(ben) }?.argument == "proposal")
    #expect(try world.read(ann).info.phase == .active)
    #expect(failure { try world.propose(ann, TurnProposalKind(rawValue: 9)) }?.argument == "kind")
  }

  @Test("1.9 an answer to an older proposal does not count for a newer one")
  func oldProposal() throws {
    try world.start()
    let old = try world.propose(ann, .pause).proposal?.id ?? 0
    try world.agree(ben, accept: false)
    try world.propose(ann, .pause)
    var operation = AnswerTurnProposal()
    (operation.context, operation.number) = (world.context, world.number)
    (operation.proposal, operation.accept) = (old, true)
    #expect(failure { try world.call(operation, as: cho) }?.argument == "proposal")
  }

  @Test("1.9 reminders go to those on whom the game waits, once in a while")
  func reminders() throws {
    try world.start()
    #expect(failure { try world.remind(ben, [cho]) }?.argument == "players")
    #expect(failure { try world.remind(ann, [ann]) }?.argument == "players")
    try world.remind(ben, [ann])
    let events = try world.driver.streamEvents(TurnReminder.self)
    #expect(events.map(\.player) == [ann] && events.first?.event.player == ben)
    let early = failure { try world.remind(cho, [ann]) }
    #expect(early?.code == .rateLimited && early?.retryAfterMilliseconds == 3_600_000)
    try world.pass(TurnLimits.reminderMilliseconds)
    try world.remind(cho, [ann])
  }

  @Test("1.9 an exchange is open for a day; the turn holder resolves it")
  func exchange() throws {
    try world.start()
    let id = try world.ask(ben, [ann, cho], "wood?")
    let opened = try world.driver.streamEvents(TurnExchangeChanged.self)
    #expect(opened.map(\.player) == [ann, cho] && opened.allSatisfy { $0.event.state == .open })
    #expect(try world.list(cho).count == 1)
    try world.reply(ann, to: id, "yes")
    #expect(failure { try world.reply(ann, to: id, "no") }?.argument == "exchange")
    #expect(try world.readExchange(cho, id).answers.isEmpty)
    #expect(try world.readExchange(ben, id).answers.map(\.player) == [ann])
    #expect(failure { try world.save(ann, "s", resolved: [id]) }?.argument == "resolved")
    try world.pass(day)
    #expect(try world.read(cho).info.exchanges.first?.isComplete == true)
    #expect(failure { try world.reply(cho, to: id, "late") }?.argument == "exchange")
    #expect(try world.readExchange(cho, id).answers.map(\.player) == [ann])
    #expect(try world.save(ann, "traded", resolved: [id]).exchanges.isEmpty)
    #expect(world.driver.rows[37, default: [:]].isEmpty)
    let last = try world.driver.streamEvents(TurnExchangeChanged.self).last?.event.state
    #expect(last == .resolved)
  }

  @Test("1.9 exchanges are the players' own, bounded, cancelled and expired")
  func exchangeBounds() throws {
    try world.start()
    let first = try world.ask(ben, [ann], "1")
    #expect(failure { _ = try world.readExchange(cho, first) }?.argument == "exchange")
    #expect(try world.read(cho).info.exchanges.isEmpty)
    #expect(failure { try world.cancel(ann, first) }?.argument == "exchange")
    _ = try world.ask(ben, [cho], "2")
    #expect(failure { _ = try world.ask(ben, [cho], "3") }?.code == .limitReached)
    try world.cancel(ben, first)
    _ = try world.ask(ben, [cho], "3")
    #expect(failure { _ = try world.ask(ann, [ann], "") }?.argument == "players")
    try world.pass(day)
    #expect(try world.read(ben).info.exchanges.isEmpty)
    #expect(world.driver.rows[37, default: [:]].isEmpty)
  }
}
