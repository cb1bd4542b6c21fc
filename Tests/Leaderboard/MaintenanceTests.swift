import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import LeaderboardCore

/// What boards do once a day, and when.
struct MaintenanceTests {
  typealias P = Players
  static let hour: Int64 = 3600 * 1000

  @Test("4.3 the daily rounds of many boards are spread over the day, after a start as before")
  func spread() throws {
    let world = World()
    for number in 0..<48 {
      try world.define("board\(number)") {
        $0.attempts = .days
        $0.attemptDays = 2
      }
      try world.submit(1, as: P.ada, to: "board\(number)")
    }
    world.driver.runTimers()
    for isRestarted in [false, true] {
      _ = try world.driver.takeEffects(SweepAttempts.self)
      if isRestarted { try world.driver.restart() }
      var rounds: [RoutingKey] = []
      for _ in 0..<24 {
        world.driver.clock += Self.hour
        world.driver.runTimers()
        let begun = try world.driver.takeEffects(SweepAttempts.self)
          .filter { !$0.operation.isOfCompleted }
        #expect(begun.count <= 12)
        rounds += begun.map(\.key)
      }
      #expect(rounds.count == 48 && Set(rounds).count == 48)
    }
  }

  @Test("4.6 a board without completed challenges has nothing to do every day")
  func idle() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    try world.submit(5, as: P.ada)
    try world.driver.restart()
    for _ in 0..<2 {
      world.driver.clock += 24 * Self.hour
      world.driver.runTimers()
      try world.settle()
    }
    // Only the engine's own, for the audit.
    #expect(world.driver.engine.pendingTimerCount == 1)

    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(6, as: P.bob)
    try world.settle()
    #expect(world.rowCount(CompletedChallengeRow.tableID) == 1)
    for _ in 0...91 {
      world.driver.clock += 24 * Self.hour
      world.driver.runTimers()
      try world.settle()
    }
    #expect(world.rowCount(CompletedChallengeRow.tableID) == 0)
    #expect(world.driver.engine.pendingTimerCount == 1)
  }
}
