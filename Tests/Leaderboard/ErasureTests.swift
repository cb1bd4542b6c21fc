import Operations
import TestKit
import Testing
import Wire

@testable import Domain
@testable import LeaderboardCore

/// The leaderboard service forgets a player (rule 7.3).
@Suite struct ErasureTests {
  typealias P = Players
  let world = World()
  private let marker = "Markermaid"
  private var anna: PlayerID { P.ada }
  private var ben: PlayerID { P.bob }

  /// Rows about Ada in every table of the service.
  private func spread() throws {
    try world.define {
      $0.attempts = .forever
      $0.hasWindows = true
      $0.historyDays = 30
    }
    try world.define("ranked") { $0.attempts = .forever }
    try world.define("runs") { $0.requiresTicket = true }
    try world.define("marked") { _ in }
    try world.define("weekly") {
      $0.recurrence = Recurrence(.seconds, world.driver.clock / 1000, 60, every: 100)
      $0.olderOccurrencesKept = 2
    }
    for board in ["board", "ranked", "marked", "weekly"] {
      for (player, value) in [(anna, 30), (ben, 20), (P.cleo, 10)] as [(PlayerID, Int64)] {
        world.driver.clock += 1
        try world.submit(value, as: player, to: board)
      }
    }
    try world.reRank("ranked", aggregation: .latest)
    try world.endReRank()
    _ = try world.startRun(as: anna, on: "runs")
    try world.restrict(anna, .quarantine, on: "marked")

    _ = try world.issue(to: [ben], as: anna, message: marker)
    let met = try world.issue(to: [ben], as: anna, on: "weekly", message: marker)
    #expect(met.count == 1)
    _ = try world.issue(to: [anna], as: P.cleo)
    world.driver.clock += 1
    try world.submit(40, as: ben, to: "weekly")
    try world.defineAchievement("first")
    try world.report([("first", 50)], as: anna)
    var preferences = SetChallengePreferences()
    preferences.issuesBack = true
    try world.driver.call(preferences, as: anna)
    try world.settle()
  }

  private func tables(with player: PlayerID) -> Set<UInt16> {
    let trace = PlayerTrace(player)
    let isAnna = player == anna
    return Set(
      world.driver.rows.filter { _, rows in
        rows.values.contains {
          trace.isIn($0) || isAnna && $0.contains(sequence: Array(marker.utf8))
        }
      }.keys)
  }

  private func erase() throws {
    var operation = EraseLeaderboardRecords()
    operation.key = Slot.keys[3]
    (operation.player, operation.standIn) = (anna, .sample(77))
    try world.driver.call(operation, as: PlayerID(), key: operation.key, kind: .service)
    for _ in 0..<8 {
      try world.settle()
      world.driver.runTimers()
      world.driver.clock += ErasureLimits.againMilliseconds
    }
    try world.settle()
  }

  /// What others see of the boards.
  private func seen() throws -> [[LeaderboardEntry]] {
    try ["board", "ranked", "marked", "weekly"].map { try world.top(as: ben, of: $0).entries }
  }

  @Test("7.3 an erased player is in no table, and boards are those of who is left")
  func everyTable() throws {
    try spread()
    let missing = world.driver.engine.tables.all.filter {
      $0.subjects.arePlayers && $0.description.id >= Tables.coreNumberMin
        && !tables(with: anna).contains($0.description.id)
    }
    #expect(missing.map(\.description.name).isEmpty, "the test does not reach these tables")
    #expect(world.driver.engine.tables.withoutErasure.isEmpty)
    let past = try world.rank(of: ben, at: world.driver.clock)
    #expect(past.entry?.rank == 2)
    let date = world.driver.clock
    world.driver.clock += 1

    try erase()
    #expect(tables(with: anna).isEmpty)
    #expect(world.driver.engine.walk.open.isEmpty)
    let boards = try seen()
    for entries in boards {
      #expect(entries.map(\.player) == [ben, P.cleo])
      #expect(entries.map(\.rank) == [1, 2])
    }
    #expect(try world.top(as: ben).total == 2)
    #expect(try world.top(as: ben, in: .week).entries.map(\.player) == [ben, P.cleo])
    // What was is not made otherwise: the stand-in was first.
    #expect(try world.rank(of: ben, at: date).entry?.rank == 2)
    #expect(try world.received(by: ben).isEmpty && world.issued(by: P.cleo).isEmpty)

    try world.driver.restart()
    #expect(try seen() == boards)
    #expect(tables(with: anna).isEmpty)
    #expect(try world.rank(of: ben, at: date).entry?.rank == 2)
    try world.submit(50, as: P.cleo)
    #expect(try world.top(as: ben).entries.map(\.player) == [P.cleo, ben])
  }

  @Test("7.3 a re-rank that is under way when a player is erased ends without the player")
  func reRank() throws {
    try world.define { $0.attempts = .forever }
    for (player, value) in [(anna, 30), (ben, 20), (P.cleo, 10)] as [(PlayerID, Int64)] {
      try world.submit(value, as: player)
    }
    world.setReRankStep(entries: 1, attempts: 1)
    try world.reRank(aggregation: .latest)
    _ = try world.stepReRank()
    try erase()
    try world.endReRank()
    #expect(try world.top(as: ben).entries.map(\.player) == [ben, P.cleo])
    #expect(tables(with: anna).isEmpty)
    try world.driver.restart()
    #expect(try world.top(as: ben).entries.map(\.player) == [ben, P.cleo])
  }
}
