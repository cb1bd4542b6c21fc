import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct TurnLeavingTests {
  let world: TurnWorld

  init() throws { world = try TurnWorld([ann, ben, cho]) }

  @Test("1.8 a game that all but open seats have left ends, and strands nobody")
  func onlyOpenSeats() throws {
    let change: (inout StartTurnGame) -> Void = {
      $0.openSeats = 2
      $0.options.turnTimeoutMilliseconds = 5_000
    }
    try world.start([ann], change)
    #expect(try world.quit(ann).phase == .ended)
    #expect(failure { try world.answer(ben) } != nil)
    try world.start([ann, ben], accepts: false, change)
    #expect(try world.quit(ann).phase == .active)
    #expect(try world.answer(ben, accept: false).phase == .ended)
    try world.start([ann], change)
    try world.driver.leave(world.context, as: ann)
    #expect(try world.read(ben).info.phase == .ended)
    #expect(world.timers.isEmpty)
  }

  @Test("1.9 who takes an open seat changes the version, and ends what was foreseen without them")
  func openSeat() throws {
    try world.start([ann, ben]) { $0.openSeats = 1 }
    try world.foresee(ben, ["x>y"], states: true)
    let info = try world.answer(cho)
    #expect(info.version == 2)
    #expect(try !world.read(ben).info.hasConditionalMoves)
    #expect(failure { try world.move(ann, "m", version: 1) }?.code == .conflict)
    try world.move(ann, "m", next: [cho])
    try world.move(cho, "x", state: "cho's", next: [ben])
    #expect(try world.read(ben).text == "cho's")
  }

  @Test("1.11 who takes an open seat has the whole time, in an open round too")
  func openSeatClock() throws {
    for clock in [\TurnOptions.moveClockMilliseconds, \.playerClockMilliseconds] {
      let world = try TurnWorld([ann, ben, cho])
      try world.start([ann, ben]) {
        $0.openSeats = 1
        $0.options.hasSealedRounds = true
        $0.options[keyPath: clock] = 60_000
      }
      try world.pass(50_000)
      try world.seal(ann, "A1", round: 1)
      try world.answer(cho)
      try world.pass(9_000)
      try world.seal(ben, "B1", round: 1)
      try world.pass(50_999)
      #expect(try world.read(cho).info.seats[2].state == .active)
      try world.pass(1)
      #expect(try world.read(cho).info.seats[2].outcome == .timeExpired)
    }
  }

  @Test("2.9 a spectator whom a new player blocks, or who blocks them, watches no more")
  func blockedSpectator() throws {
    for (blocker, blocked) in [(cho, dan), (dan, cho)] {
      let world = try TurnWorld([ann, ben, cho, dan])
      try world.start([ann, ben]) {
        $0.openSeats = 1
        $0.options.allowsSpectators = true
      }
      try world.watch(dan)
      world.blocks = [blocker: [blocked]]
      #expect(try world.answer(cho).spectatorCount == 0)
      #expect(try world.read(dan).state == nil)
    }
  }

  @Test("1.3 1.8 a move is an activity of its context")
  func activity() throws {
    try world.start()
    try world.pass(120_000)
    try world.move(ann, "a1")
    #expect(try world.driver.get(world.context, as: ann).lastActiveAt == world.driver.clock)
    try world.quit(ann)
    try world.quit(ben)
    try world.start { $0.options.hasSealedRounds = true }
    try world.pass(120_000)
    try world.seal(ben, "B1", round: 1)
    #expect(try world.driver.get(world.context, as: ann).lastActiveAt == world.driver.clock)
  }
}
