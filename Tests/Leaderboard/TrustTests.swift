import Operations
import Testing
import TestKit
import Wire

@testable import LeaderboardCore

/// Which scores a board takes, and what owners do about scores and players.
struct TrustTests {
  typealias P = Players

  @Test("4.6 a board that only the game's server writes")
  func serverWritten() throws {
    let world = World()
    try world.define { $0.isServerWritten = true }
    expectRefusal(.notAllowed, "board") { try world.submit(1, as: P.ada) }
    var operation = SubmitScore()
    operation.board = "board"
    operation.value = 5
    expectRefusal(.requiredArgument, "player") {
      try world.driver.call(operation, as: PlayerID(), kind: .gameServer)
    }
    operation.player = P.bob
    expectRefusal(.invalidArgument, "player") { try world.driver.call(operation, as: P.ada) }
    let facts = Facts([World.isReachable(P.bob)])
    let reply = try world.driver.call(operation, as: PlayerID(), facts: facts, kind: .gameServer)
    #expect(reply.entry.player == P.bob)
    #expect(try world.rank(of: P.bob).entry?.value == 5)
  }

  @Test("4.6 a game's server submits only for players that exist, which is asked once")
  func existence() throws {
    let world = World()
    try world.define()
    var operation = SubmitScore()
    (operation.board, operation.value, operation.player) = ("board", 5, P.bob)
    func submit(_ facts: Fact...) throws {
      try world.driver.call(operation, as: PlayerID(), facts: Facts(facts), kind: .gameServer)
    }
    expectRefusal(.factRequired) { try submit() }
    expectRefusal(.factRequired) { try submit(World.isReachable(P.ada)) }
    expectRefusal(.notFound, "player") { try submit(World.isReachable(P.bob, false)) }
    #expect(try world.top().total == 0)
    try submit(World.isReachable(P.bob))
    operation.value = 6
    try submit()
    #expect(try world.rank(of: P.bob).entry?.value == 6)
    try world.removeScore(of: P.bob)
    expectRefusal(.factRequired) { try submit() }
    try world.submit(7, as: P.bob)
  }

  @Test("4.6 what an owner does to a player without a score passes no first score")
  func existenceInOrder() throws {
    let world = World()
    try world.define()
    func waits(_ facts: Facts, _ code: FailureCode, _ argument: String = "") {
      expectRefusal(code, argument) { try world.removeScore(of: P.bob, facts: facts) }
      for restriction in [PlayerRestriction.quarantine, .release, .ban, .unban] {
        expectRefusal(code, argument) { try world.restrict(P.bob, restriction, facts: facts) }
      }
    }
    waits(Facts(), .factRequired)
    waits(Facts([World.isReachable(P.bob, false)]), .notFound, "player")
    try world.submit(1, as: P.bob)
    try world.restrict(P.bob, .quarantine, facts: Facts())
    // A score that comes now is a first one again, beside the one in quarantine.
    waits(Facts(), .factRequired)
    try world.submit(2, as: P.bob)
    try world.removeScore(of: P.bob, facts: Facts())
    #expect(world.rowCount(PlayerMarkRow.tableID) == 1)
  }

  @Test("4.6 a rate counts exactly over any stretch of time, per player")
  func rate() throws {
    let world = World()
    try world.define {
      $0.rateCount = 2
      $0.rateSeconds = 10
    }
    try world.submit(1, as: P.ada)
    world.driver.clock += 4000
    try world.submit(1, as: P.ada)
    world.driver.clock += 5999
    do {
      try world.submit(1, as: P.ada)
      Issue.record("a third one within ten seconds")
    } catch let failure as Failure {
      #expect(failure.code == .rateLimited && failure.retryAfterMilliseconds == 1)
    }
    try world.submit(1, as: P.bob)
    world.driver.clock += 1
    try world.submit(1, as: P.ada)
    expectRefusal(.rateLimited, "board") { try world.submit(1, as: P.ada) }
    world.driver.clock += 4000
    try world.submit(1, as: P.ada)
  }

  @Test("4.6 tickets: missing, foreign, unknown, too early, reused and too old")
  func tickets() throws {
    let world = World()
    try world.define {
      $0.requiresTicket = true
      $0.runSecondsMin = 30
    }
    try world.define("other") { $0.requiresTicket = true }
    try world.define("plain")
    expectRefusal(.conflict, "board") { _ = try world.startRun(as: P.ada, on: "plain") }
    expectRefusal(.notFound, "board") { _ = try world.startRun(as: P.ada, on: "none") }
    expectRefusal(.requiredArgument, "ticket") { try world.submit(1, as: P.ada) }
    let run = try world.startRun(as: P.ada)
    #expect(run.from == world.driver.clock + 30_000)
    expectRefusal(.notOpen, "ticket") { try world.submit(1, as: P.ada, ticket: run.ticket) }
    world.driver.clock += 30_000
    try world.driver.restart()
    expectRefusal(.notAllowed, "ticket") { try world.submit(1, as: P.bob, ticket: run.ticket) }
    expectRefusal(.notFound, "ticket") {
      try world.submit(1, as: P.ada, to: "other", ticket: run.ticket)
    }
    expectRefusal(.notFound, "ticket") {
      try world.submit(1, as: P.ada, ticket: TicketID(high: 1, low: 2))
    }
    #expect(try world.submit(1, as: P.ada, ticket: run.ticket).entry.rank == 1)
    try world.driver.restart()
    expectRefusal(.alreadyExists, "ticket") { try world.submit(2, as: P.ada, ticket: run.ticket) }
    let late = try world.startRun(as: P.ada)
    world.driver.clock = late.until
    expectRefusal(.notFound, "ticket") { try world.submit(2, as: P.ada, ticket: late.ticket) }
    world.driver.runTimers()
    #expect(world.rowCount(TicketRow.tableID) == 0)
  }

  @Test("4.6 a player has so many tickets; a new one replaces the oldest")
  func ticketCount() throws {
    let world = World()
    try world.define { $0.requiresTicket = true }
    let tickets = try (0...LeaderboardLimits.ticketsPerPlayerMax).map { _ in
      world.driver.clock += 1
      return try world.startRun(as: P.ada).ticket
    }
    #expect(world.rowCount(TicketRow.tableID) == LeaderboardLimits.ticketsPerPlayerMax)
    try world.driver.restart()
    expectRefusal(.notFound, "ticket") { try world.submit(1, as: P.ada, ticket: tickets[0]) }
    try world.submit(1, as: P.ada, ticket: tickets[1])
  }

  @Test("4.6 a value that the rules refuse uses up neither ticket nor rate")
  func refused() throws {
    let world = World()
    try world.define {
      $0.requiresTicket = true
      $0.maximum = 9
      $0.rateCount = 1
      $0.rateSeconds = 1
    }
    let ticket = try world.startRun(as: P.ada).ticket
    expectRefusal(.invalidArgument, "value") { try world.submit(10, as: P.ada, ticket: ticket) }
    try world.submit(9, as: P.ada, ticket: ticket)
  }

  @Test(
    "4.6 a score in quarantine is kept but not ranked, and comes back",
    arguments: [ScoreAggregation.best, .latest, .sum])
  func quarantine(aggregation: ScoreAggregation) throws {
    let world = World()
    try world.define {
      $0.aggregation = aggregation
      $0.hasWindows = true
    }
    expectRefusal(.notFound, "player") { try world.restrict(P.ada, .quarantine) }
    expectRefusal(.invalidArgument, "restriction") {
      try world.restrict(P.ada, PlayerRestriction(rawValue: 9))
    }
    try world.submit(9, as: P.ada)
    try world.submit(5, as: P.bob)
    for _ in 0..<2 {
      try world.restrict(P.ada, .quarantine)
      #expect(try world.top().entries.map(\.player) == [P.bob])
      #expect(try world.top(in: .today).entries.map(\.player) == [P.bob])
      try world.driver.restart()
    }
    try world.submit(3, as: P.ada)
    #expect(try world.rank(of: P.ada).entry?.value == 3)
    #expect(try world.rank(of: P.ada, in: .week).entry?.value == 3)
    try world.restrict(P.ada, .release)
    let value: Int64 = aggregation == .best ? 9 : aggregation == .latest ? 3 : 12
    for _ in 0..<2 {
      #expect(try world.rank(of: P.ada).entry?.value == value)
      #expect(try world.rank(of: P.ada, in: .week).entry?.value == value)
      try world.driver.restart()
    }
    #expect(world.rowCount(PlayerMarkRow.tableID) == 0)
  }

  @Test("4.2 4.6 a sum that comes back shows the attempt that changed it, not one of 0 since")
  func quarantinedSum() throws {
    let world = World()
    try world.define { $0.aggregation = .sum }
    let shown = try world.submit(3, as: P.ada, scoreTag: 7).entry
    try world.restrict(P.ada, .quarantine)
    world.driver.clock += 1
    try world.submit(0, as: P.ada, scoreTag: 9)
    try world.restrict(P.ada, .release)
    #expect(try world.top().entries == [shown])
    // One that comes back to 0 has changed.
    try world.restrict(P.ada, .quarantine)
    for value: Int64 in [4, -4, 0] {
      world.driver.clock += 1
      try world.submit(value, as: P.ada, scoreTag: UInt64(10 + value))
      try world.driver.restart()
    }
    try world.restrict(P.ada, .release)
    let entry = try #require(try world.top().entries.first)
    #expect(entry.value == 3 && entry.scoreTag == 6 && entry.date == world.driver.clock - 1)
  }

  @Test("4.2 4.6 what is removed from one occurrence is nothing to the sum held from another")
  func quarantinedSumOfOccurrence() throws {
    let world = World()
    let start = world.driver.clock / 1000 + 1000
    try world.define {
      $0.aggregation = .sum
      $0.attempts = .forever
      $0.recurrence = Recurrence(.seconds, start, 60, every: 100)
    }
    world.driver.clock = start * 1000
    try world.submit(3, as: P.ada, scoreTag: 7)
    try world.restrict(P.ada, .quarantine)
    try world.submit(4, as: P.ada)
    try world.submit(-4, as: P.ada, scoreTag: 6)
    world.driver.clock += 100_000
    try world.submit(5, as: P.ada)
    try world.removeScore(of: P.ada, fallsBack: true)
    try world.restrict(P.ada, .release)
    let entry = try #require(try world.top(in: .back(1)).entries.first)
    #expect(entry.value == 3 && entry.scoreTag == 6)
  }

  @Test("4.6 a banned player has no score and submits none, until the ban is lifted")
  func ban() throws {
    let world = World()
    try world.define()
    try world.submit(9, as: P.ada)
    try world.restrict(P.ada, .ban)
    try world.restrict(P.bob, .ban)
    try world.driver.restart()
    #expect(try world.top().total == 0)
    expectRefusal(.notAllowed, "player") { try world.submit(1, as: P.ada) }
    expectRefusal(.notAllowed, "player") { try world.submit(1, as: P.bob) }
    try world.restrict(P.ada, .unban)
    #expect(try world.top().entries.map(\.value) == [9])
    try world.submit(10, as: P.ada)
    var operation = RestrictPlayer()
    operation.board = "board"
    expectRefusal(.notAllowed) { try world.driver.call(operation, as: P.ada) }
    operation.board = "none"
    expectRefusal(.notFound, "board") {
      try world.driver.call(operation, as: PlayerID(), kind: .gameServer)
    }
  }

  @Test("4.6 a score in quarantine can be removed")
  func removed() throws {
    let world = World()
    try world.define()
    try world.submit(9, as: P.ada)
    try world.restrict(P.ada, .quarantine)
    try world.removeScore(of: P.ada)
    expectRefusal(.notFound, "player") { try world.restrict(P.ada, .release) }
    #expect(try world.top().total == 0)
  }
}
