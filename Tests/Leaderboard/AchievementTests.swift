import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// Declaring achievements, and what players report of them.
struct AchievementTests {
  typealias P = Players

  private func world() throws -> World {
    let world = World()
    for name in ["first", "second"] { try world.defineAchievement(name) }
    try world.defineAchievement("secret") { $0.isHidden = true }
    return world
  }

  @Test("5.1 progress is a number from 0 to 100; anything else names the argument")
  func bounds() throws {
    let world = try world()
    for percent in [-0.001, 100.001, .nan, .infinity, -.infinity, .signalingNaN] {
      expectRefusal(.invalidArgument, "percentComplete") {
        try world.report([("first", percent)], as: P.ada)
      }
    }
    for percent in [-0.0, 0, .leastNonzeroMagnitude, 33.3, 99.9] {
      let taken = try world.report([("first", percent)], as: P.ada).achievements[0]
      #expect(taken.percentComplete == percent && taken.percentComplete.sign == .plus)
    }
    #expect(try world.achievements(of: P.ada).map(\.percentComplete) == [99.9])
  }

  @Test("5.1 completed at 100 and at nothing less")
  func completed() throws {
    let world = try world()
    let almost = try world.report([("first", 100.0.nextDown)], as: P.ada).achievements[0]
    #expect(!almost.isCompleted && almost.completionDate == nil)
    world.driver.clock += 5
    let done = try world.report([("first", 100)], as: P.ada).achievements[0]
    #expect(done.isCompleted && done.completionDate == world.driver.clock)
    world.driver.clock += 5
    let again = try world.report([("first", 100)], as: P.ada).achievements[0]
    #expect(again.completionDate == done.completionDate)
    #expect(again.lastReportedDate == world.driver.clock)
  }

  @Test("5.2 several in one report are taken together or not at all")
  func together() throws {
    let world = try world()
    expectRefusal(.notFound, "achievement") {
      try world.report([("first", 10), ("unknown", 10)], as: P.ada)
    }
    expectRefusal(.invalidArgument, "percentComplete") {
      try world.report([("first", 10), ("second", .nan)], as: P.ada)
    }
    expectRefusal(.requiredArgument, "achievement") {
      try world.report([("first", 10), ("", 10)], as: P.ada)
    }
    expectRefusal(.requiredArgument, "reports") { try world.report([], as: P.ada) }
    expectRefusal(.invalidArgument, "reports") {
      try world.report(Array(repeating: ("first", 1), count: 101), as: P.ada)
    }
    #expect(try world.achievements(of: P.ada) == [])
    let reply = try world.report([("first", 10), ("second", 20), ("first", 30)], as: P.ada)
    #expect(reply.achievements.map(\.percentComplete) == [30, 20, 30])
    #expect(Set(try world.achievements(of: P.ada).map(\.achievement)) == ["first", "second"])
  }

  @Test("5.2 progress never goes down, also over a restart; the date moves")
  func neverDown() throws {
    let world = try world()
    try world.report([("first", 60)], as: P.ada)
    try world.driver.restart()
    world.driver.clock += 7
    let lower = try world.report([("first", 40)], as: P.ada).achievements[0]
    #expect(lower.percentComplete == 60 && lower.lastReportedDate == world.driver.clock)
    #expect(try world.report([("first", 61)], as: P.ada).achievements[0].percentComplete == 61)
    #expect(try world.achievements(of: P.bob) == [])
  }

  @Test("5.3 7.1 a repeated report has the effect of one")
  func repeated() throws {
    let world = try world()
    let key = IdempotencyKey(instance: 5, counter: 1, floor: 1)
    let reply = try world.report([("first", 60)], as: P.ada, key: key)
    world.driver.clock += 7
    try world.driver.restart()
    #expect(try world.report([("first", 60)], as: P.ada, key: key) == reply)
    #expect(try world.achievements(of: P.ada) == reply.achievements)
  }

  @Test("5.3 players learn of hidden achievements once they have reported them, owners always")
  func hidden() throws {
    let world = try world()
    #expect(try world.described(to: P.ada).map(\.achievement) == ["first", "second"])
    #expect(
      try world.described(to: PlayerID(), kind: .gameServer).map(\.achievement)
        == ["first", "second", "secret"])
    try world.report([("secret", 0)], as: P.ada)
    try world.driver.restart()
    for limit: UInt32 in [1, 2, 3, 100] {
      #expect(
        try world.described(to: P.ada, limit: limit).map(\.achievement)
          == ["first", "second", "secret"])
    }
    #expect(try world.described(to: P.bob).count == 2)
    expectRefusal(.invalidArgument, "limit") { _ = try world.described(to: P.ada, limit: 0) }
  }

  @Test("5.3 what is declared, the banner and the last date are kept")
  func fields() throws {
    let world = World()
    func change(_ definition: inout AchievementDefinition) {
      definition.title = "Ten wins"
      definition.descriptionBefore = "Win ten times."
      definition.descriptionAfter = "You won ten times."
      definition.isReplayable = true
      definition.points = 50
    }
    #expect(try world.defineAchievement("wins", change) == .created)
    try world.driver.restart()
    #expect(try world.defineAchievement("wins", change) == .unchanged)
    var expected = AchievementDefinition()
    expected.achievement = "wins"
    change(&expected)
    #expect(try world.described(to: P.ada) == [expected])
    #expect(try world.defineAchievement("wins") { $0.points = 100 } == .updated)
    var operation = ReportAchievements()
    var report = AchievementReport()
    report.achievement = "wins"
    report.showsCompletionBanner = true
    operation.reports = [report]
    try world.driver.call(operation, as: P.ada, facts: try world.facts(of: P.ada))
    let progress = try world.achievements(of: P.ada)
    #expect(progress.map(\.showsCompletionBanner) == [true])
    #expect(progress.map(\.lastReportedDate) == [world.driver.clock])
  }

  @Test("5.3 a declaration with a fault names its field")
  func faults() throws {
    let world = World()
    expectRefusal(.requiredArgument, "achievement") { try world.defineAchievement("") }
    expectRefusal(.invalidArgument, "achievement") { try world.defineAchievement("a b") }
    expectRefusal(.invalidArgument, "points") {
      try world.defineAchievement("a") { $0.points = 101 }
    }
    let long = String(repeating: "x", count: 501)
    expectRefusal(.invalidArgument, "title") {
      try world.defineAchievement("a") { $0.title = long }
    }
    expectRefusal(.invalidArgument, "descriptionAfter") {
      try world.defineAchievement("a") { $0.descriptionAfter = long }
    }
    for number in 1...100 { try world.defineAchievement("a\(number)") }
    expectRefusal(.limitReached, "achievement") { try world.defineAchievement("b") }
    #expect(try world.defineAchievement("a7") { $0.points = 1 } == .updated)
    try world.report((1...100).map { ("a\($0)", 1) }, as: P.ada)
    #expect(try world.achievements(of: P.ada, limit: 7).count == 100)
    expectRefusal(.notAllowed) { try world.driver.call(DefineAchievement(), as: P.ada) }
  }

  @Test("5.3 lists are paged, the last reported first")
  func pages() throws {
    let world = try world()
    for name in ["second", "first", "secret"] {
      world.driver.clock += 1
      try world.report([(name, 1)], as: P.ada)
    }
    for limit: UInt32 in [1, 2, 3] {
      #expect(
        try world.achievements(of: P.ada, limit: limit).map(\.achievement)
          == ["secret", "first", "second"])
    }
    var operation = ListAchievements()
    operation.cursor = "x"
    expectRefusal(.invalidArgument, "cursor") { try world.driver.call(operation, as: P.ada) }
  }

  @Test("5.4 a reset takes back all of the player's own progress")
  func reset() throws {
    let world = try world()
    for player in [P.ada, P.bob] {
      try world.report([("first", 100), ("secret", 50)], as: player)
    }
    for _ in 0..<2 { try world.driver.call(ResetAchievements(), as: P.ada) }
    try world.driver.restart()
    #expect(try world.achievements(of: P.ada) == [])
    #expect(try world.achievements(of: P.bob).count == 2)
    #expect(try world.described(to: P.ada).count == 2)
    #expect(try world.report([("first", 5)], as: P.ada).achievements[0].percentComplete == 5)
  }
}
