import Domain
import Operations
import Testing
import TestKit
import Wire

@testable import LeaderboardCore

/// Recurring boards.
struct OccurrenceTests {
  typealias P = Players

  /// Occurrences of 60 s, every 100 s, from 1,000 s after the clock's beginning.
  private func world(older: UInt32 = 0, _ change: (inout LeaderboardDefinition) -> Void = { _ in })
    throws -> (world: World, start: Int64)
  {
    let world = World()
    let start = world.driver.clock / 1000 + 1000
    try world.define {
      $0.recurrence = Recurrence(.seconds, start, 60, every: 100)
      $0.olderOccurrencesKept = older
      change(&$0)
    }
    return (world, start * 1000)
  }

  @Test("4.2 each occurrence has its own ranking, and the previous one can be read")
  func rankings() throws {
    let (world, start) = try world()
    world.driver.clock = start
    try world.submit(9, as: P.ada)
    try world.submit(8, as: P.bob)
    world.driver.clock = start + 59_999
    #expect(try world.submit(10, as: P.bob).entry.rank == 1)
    world.driver.clock = start + 100_000
    #expect(try world.top().total == 0)
    #expect(try world.top(in: .back(1)).entries.map(\.player) == [P.bob, P.ada])
    #expect(try world.submit(3, as: P.ada).entry.rank == 1)
    for _ in 0..<2 {
      #expect(try world.top().entries.map(\.value) == [3])
      #expect(try world.top(in: .back(1)).entries.map(\.value) == [10, 9])
      #expect(try world.rank(of: P.ada, in: .back(1)).entry?.rank == 2)
      let friends = try world.friendScores(as: P.ada, friends: [P.bob], in: .back(1))
      #expect(friends.entries.map(\.value) == [10, 9])
      try world.driver.restart()
    }
    world.driver.clock = start + 200_000
    #expect(try world.top(in: .back(1)).entries.map(\.value) == [3])
    expectRefusal(.notFound, "occurrencesBack") { _ = try world.top(in: .back(2)) }
  }

  @Test(
    "4.2 scores before the first occurrence and in a gap are refused, with a time to come again")
  func gaps() throws {
    let (world, start) = try world()
    func wait() -> UInt32? {
      do {
        try world.submit(1, as: P.ada)
        return nil
      } catch let failure as Failure where failure.code == .notOpen && failure.argument == "board" {
        return failure.retryAfterMilliseconds
      } catch { return 0 }
    }
    world.driver.clock = start - 5000
    #expect(wait() == 5000)
    #expect(try world.top() == ScorePage())
    world.driver.clock = start + 59_999
    #expect(wait() == nil)
    world.driver.clock = start + 60_000
    #expect(wait() == 40_000)
    // In the gap the last occurrence is still the current one.
    #expect(try world.top().total == 1)
    world.driver.clock = start + 100_000
    #expect(wait() == nil)
  }

  @Test("4.2 occurrences without scores are skipped, and older ones are kept as the board says")
  func older() throws {
    let (world, start) = try world(older: 2)
    for number: Int64 in [0, 1, 4, 5] {
      world.driver.clock = start + number * 100_000
      try world.submit(number, as: P.ada)
    }
    #expect(try world.top(in: .back(1)).entries.map(\.value) == [4])
    #expect(try world.top(in: .back(2)).total == 0)
    #expect(try world.top(in: .back(3)).total == 0)
    expectRefusal(.notFound, "occurrencesBack") { _ = try world.top(in: .back(4)) }
    world.driver.runTimers()
    #expect(world.rowCount(OccurrenceRow.tableID) == 2)
    var describe = DescribeLeaderboard()
    describe.board = "board"
    let reply = try world.driver.call(describe, as: P.ada)
    #expect(reply.total == 1 && reply.current?.number == 5 && reply.previous?.number == 4)
    #expect(reply.current?.start == start + 500_000 && reply.current?.end == start + 560_000)
  }

  @Test("4.2 an old occurrence goes in bounded steps, over a restart too")
  func dropping() throws {
    let (world, start) = try world()
    world.driver.clock = start
    let count = BoardMaintenance.removedPerStepMax + 500
    for number in 0..<count { try world.submit(Int64(number), as: .sample(UInt64(number))) }
    world.driver.runTimers()
    for number: Int64 in 1...2 {
      world.driver.clock = start + number * 100_000
      try world.submit(1, as: P.ada)
    }
    #expect(world.rowCount(OccurrenceEntryRow.tableID) == count + 2)
    world.driver.runTimers(atMost: 1)
    let left = world.rowCount(OccurrenceEntryRow.tableID)
    #expect(left > 2 && left < count)
    try world.driver.restart()
    #expect(try world.top(in: .back(1)).total == 1)
    world.driver.runTimers()
    #expect(world.rowCount(OccurrenceRow.tableID) == 2)
  }

  @Test("4.6 falling back stays within the occurrence")
  func fallback() throws {
    let (world, start) = try world { $0.attempts = .forever }
    world.driver.clock = start
    try world.submit(9, as: P.ada)
    world.driver.clock = start + 100_000
    try world.submit(3, as: P.ada)
    try world.submit(5, as: P.ada)
    #expect(try world.removeScore(of: P.ada, fallsBack: true)?.value == 3)
    #expect(try world.removeScore(of: P.ada, fallsBack: true) == nil)
    #expect(try world.top(in: .back(1)).entries.map(\.value) == [9])
  }

  @Test("4.2 queries name the period that the board does not have")
  func periods() throws {
    let (world, _) = try world()
    try world.define("plain")
    expectRefusal(.invalidArgument, "timeScope") { _ = try world.top(in: .today) }
    expectRefusal(.invalidArgument, "timeScope") { _ = try world.top(of: "plain", in: .week) }
    expectRefusal(.invalidArgument, "occurrencesBack") {
      _ = try world.top(of: "plain", in: .back(1))
    }
    expectRefusal(.invalidArgument, "timeScope") {
      _ = try world.top(of: "plain", in: ScorePeriod(ScoreTimeScope(rawValue: 9), back: 0))
    }
  }

  // MARK: Calendars

  /// Days of 24 hours, but for one of 23 hours; changes its mind about all days when told to.
  final class VirtualCalendar: RecurrenceCalendar {
    let shift: Int64
    init(shift: Int64 = 0) { self.shift = shift }
    func knows(zone: String) -> Bool { zone == "Here" }
    func time(_ start: Int64, plus count: Int64, _ unit: RecurrenceUnit, zone: String) -> Int64 {
      start + count * 86400 - (count >= 3 ? 3600 : 0) + shift
    }
  }

  @Test("4.2 days follow the zone, and what has been stays when the zone changes")
  func zones() throws {
    let world = World()
    world.driver.core.calendar = VirtualCalendar()
    let start = world.driver.clock / 1000
    try world.define { $0.recurrence = Recurrence(.days, start, 1, every: 1, "Here") }
    let hour: Int64 = 3_600_000
    world.driver.clock = start * 1000 + 3 * 24 * hour - hour - 1
    try world.submit(2, as: P.ada)
    world.driver.clock += 1
    #expect(try world.top().total == 0)
    try world.submit(3, as: P.ada)
    let opened = world.driver.clock
    try world.driver.restart()
    // Days now begin two hours later: the open one still ends when it said.
    world.driver.core.calendar = VirtualCalendar(shift: 7200)
    world.driver.clock = opened + 24 * hour - 1
    try world.submit(4, as: P.ada)
    #expect(try world.top().entries.map(\.value) == [4])
    #expect(try world.top(in: .back(1)).entries.map(\.value) == [2])
    world.driver.clock += 1
    expectRefusal(.notOpen, "board") { try world.submit(5, as: P.ada) }
    world.driver.clock += 2 * hour
    try world.submit(6, as: P.ada)
    #expect(try world.top(in: .back(1)).entries.map(\.value) == [4])
  }

  @Test("4.2 months of UTC end on the last day where they are too short")
  func months() {
    let calendar = UTCCalendar()
    // 2024-01-31 12:00:00, and the ends of the months after it.
    let start: Int64 = 1_706_702_400
    let days: [Int64] = [0, 29, 60, 90, 121, 151, 182, 213, 243, 274, 304, 335, 366, 394]
    for (count, day) in days.enumerated() {
      let time = calendar.time(start, plus: Int64(count), .months, zone: "UTC")
      #expect(time == start + day * 86400, "\(count)")
    }
    #expect(calendar.time(start, plus: 2, .weeks, zone: "UTC") == start + 14 * 86400)
  }
}
