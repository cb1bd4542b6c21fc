import Domain
import Operations
import Testing
import TestKit
import Wire

@testable import LeaderboardCore

/// Attempts that a board keeps.
struct AttemptTests {
  typealias P = Players
  static let day: Int64 = 24 * 3600 * 1000

  @Test("4.3 a board that keeps none writes no attempt; one that does, one row each")
  func rows() throws {
    let world = World()
    try world.define("plain")
    try world.define("kept") { $0.attempts = .forever }
    for value: Int64 in [5, 4, 5, 6] {
      try world.submit(value, as: P.ada, to: "plain")
      try world.submit(value, as: P.ada, to: "kept")
    }
    #expect(world.rowCount(AttemptRow.tableID) == 4)
    try world.driver.restart()
    // Arrivals go on behind those that are not in memory.
    try world.submit(1, as: P.ada, to: "kept")
    #expect(world.rowCount(AttemptRow.tableID) == 5)
    #expect(try world.rank(of: P.ada, on: "kept").entry?.value == 6)
  }

  @Test("4.2 4.6 removing a best score falls back to the next best attempt, whole")
  func best() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    var dates: [Int64] = []
    for (tag, value) in [7, 9, 9, 8].enumerated() {
      world.driver.clock += 10
      dates.append(world.driver.clock)
      try world.submit(Int64(value), as: P.ada, scoreTag: UInt64(tag))
    }
    var left: [(Int64, Int)] = [(9, 2), (8, 3), (7, 0)]
    while !left.isEmpty {
      let (value, place) = left.removeFirst()
      let entry = try world.removeScore(of: P.ada, fallsBack: true)
      #expect(entry?.value == value && entry?.scoreTag == UInt64(place))
      #expect(entry?.date == dates[place])
      #expect(try world.rank(of: P.ada).entry == entry)
      try world.driver.restart()
    }
    #expect(try world.removeScore(of: P.ada, fallsBack: true) == nil)
    expectRefusal(.notFound, "player") { try world.removeScore(of: P.ada, fallsBack: true) }
    #expect(try world.top().total == 0 && world.rowCount(AttemptRow.tableID) == 0)
  }

  @Test("4.6 falling back on boards of latest scores and of sums")
  func others() throws {
    let world = World()
    try world.define("latest") {
      $0.attempts = .forever
      $0.aggregation = .latest
    }
    try world.define("sum") {
      $0.attempts = .forever
      $0.aggregation = .sum
    }
    for value: Int64 in [7, 9, 0, -2] {
      try world.submit(value, as: P.ada, to: "latest")
      try world.submit(value, as: P.ada, to: "sum")
    }
    func fallBack(_ board: String) throws -> Int64? {
      try world.removeScore(of: P.ada, from: board, fallsBack: true)?.value
    }
    for value: Int64? in [0, 9, 7, nil] { #expect(try fallBack("latest") == value) }
    for value: Int64? in [16, 7, 0, nil] { #expect(try fallBack("sum") == value) }
  }

  @Test("4.6 a sum falls back to what it was, also to attempts that are not kept any more")
  func sumOfOldOnes() throws {
    let world = World()
    try world.define {
      $0.aggregation = .sum
      $0.attempts = .days
      $0.attemptDays = 1
    }
    try world.submit(100, as: P.ada, scoreTag: 1)
    world.driver.clock += 2 * Self.day
    try world.submit(5, as: P.ada, scoreTag: 2)
    world.driver.runTimers()
    try world.settle()
    #expect(world.rowCount(AttemptRow.tableID) == 1)
    let entry = try world.removeScore(of: P.ada, fallsBack: true)
    #expect(entry?.value == 100 && entry?.scoreTag == 0)
    // Nobody knows any more what the last of those gave.
    for _ in 0..<2 {
      expectRefusal(.conflict, "fallsBack") { try world.removeScore(of: P.ada, fallsBack: true) }
      #expect(try world.rank(of: P.ada).entry == entry)
      try world.driver.restart()
    }
  }

  @Test("4.6 after a removal without falling back older attempts do not come back")
  func removal() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    try world.define("plain")
    for value: Int64 in [7, 9, 8] { try world.submit(value, as: P.ada) }
    #expect(try world.removeScore(of: P.ada) == nil)
    try world.driver.restart()
    try world.submit(3, as: P.ada)
    #expect(try world.removeScore(of: P.ada, fallsBack: true) == nil)
    try world.submit(3, as: P.ada, to: "plain")
    expectRefusal(.conflict, "fallsBack") {
      try world.removeScore(of: P.ada, from: "plain", fallsBack: true)
    }
  }

  @Test("4.6 falling back reads a player's attempts page by page, and nobody else's")
  func pages() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    try world.submit(999, as: P.bob)
    try world.submit(500, as: P.ada)
    for _ in 0..<1030 { try world.submit(1, as: P.ada) }
    try world.submit(600, as: P.ada)
    #expect(try world.removeScore(of: P.ada, fallsBack: true)?.value == 500)
    #expect(try world.removeScore(of: P.ada, fallsBack: true)?.value == 1)
  }

  @Test("4.3 attempts that were kept for long enough go in bounded steps")
  func sweep() throws {
    let world = World()
    try world.define {
      $0.attempts = .days
      $0.attemptDays = 2
    }
    for number in 0..<600 { try world.submit(Int64(number), as: .sample(UInt64(number % 7))) }
    world.driver.clock += Self.day
    try world.submit(7, as: P.ada)
    world.driver.runTimers()
    try world.settle()
    #expect(world.rowCount(AttemptRow.tableID) == 601)
    try world.driver.restart()
    world.driver.clock += Self.day
    world.driver.runTimers()
    var steps = 0
    while !world.driver.effects.isEmpty {
      let row = world.driver.effects.removeFirst()
      let before = world.rowCount(AttemptRow.tableID)
      _ = try world.driver.answer(world.driver.engine.delivery(of: row))
      #expect(before - world.rowCount(AttemptRow.tableID) <= Sweeps.attemptsMax)
      steps += 1
    }
    // One of them is over the completed challenges, of which there are none.
    #expect(steps == 4 && world.rowCount(AttemptRow.tableID) == 1)
    // The entries stay.
    #expect(try world.top().total == 8)
  }

  @Test("4.6 the attempts of a removed score leave the store, in bounded steps")
  func removedLeave() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    for value in 0..<600 as Range<Int64> { try world.submit(value, as: P.ada) }
    try world.submit(7, as: P.bob)
    try world.removeScore(of: P.ada)
    try world.submit(3, as: P.ada)
    try world.driver.restart()
    var left: [Int] = []
    while try world.driver.deliverFirst(SweepAttempts.self, isDoubled: true) {
      left.append(world.rowCount(AttemptRow.tableID))
    }
    #expect(left == [346, 90, 2])
    try world.driver.restart()
    #expect(try world.removeScore(of: P.ada, fallsBack: true) == nil)
    #expect(try world.rank(of: P.bob).entry?.value == 7)
  }

  @Test("4.6 attempts leave the store when the board keeps none any more")
  func keptNoMore() throws {
    for isDays in [false, true] {
      let world = World()
      try world.define { ($0.attempts, $0.attemptDays) = isDays ? (.days, 9) : (.forever, 0) }
      for number in 0..<600 as Range<UInt64> { try world.submit(1, as: .sample(number % 7)) }
      try world.define()
      try world.driver.restart()
      // What is kept again from now on stays.
      try world.define { $0.attempts = .forever }
      try world.submit(2, as: P.ada)
      try world.settle()
      #expect(world.rowCount(AttemptRow.tableID) == 1)
      #expect(try world.top().total == 8)
    }
  }

  @Test("4.6 attempts that were kept no more do not count when attempts are kept again")
  func keptAgain() throws {
    for (isSwept, isRemoved) in [(false, false), (false, true), (true, false), (true, true)] {
      let world = World()
      try world.define { $0.attempts = .forever }
      for value: Int64 in [9, 5] { try world.submit(value, as: P.ada) }
      try world.define()
      try world.define { $0.attempts = .forever }
      try world.driver.restart()
      if isSwept { try world.settle() }
      for value: Int64 in [3, 4] { try world.submit(value, as: P.ada) }
      try world.driver.restart()
      if isRemoved {
        #expect(try world.removeScore(of: P.ada, fallsBack: true)?.value == 4)
      }
      try world.reRank(order: .lowFirst)
      try world.endReRank()
      #expect(try world.rank(of: P.ada).entry?.value == 3)
      try world.reRank(aggregation: .sum)
      try world.endReRank()
      #expect(try world.rank(of: P.ada).entry?.value == 7)
    }
  }

  @Test("4.2 a definition of what is kept that cannot be is refused, with its field's name")
  func faults() throws {
    let world = World()
    let faults: [(String, (inout LeaderboardDefinition) -> Void)] = [
      ("attempts", { $0.attempts = AttemptKeeping(rawValue: 9) }),
      ("attemptDays", { $0.attempts = .days }), ("attemptDays", { $0.attemptDays = 3 }),
      ("olderOccurrencesKept", { $0.olderOccurrencesKept = 1 }),
      ("rateSeconds", { $0.rateCount = 1 }), ("rateCount", { $0.rateSeconds = 1 }),
      ("runSecondsMin", { $0.runSecondsMin = 1 }),
      ("interval", { $0.recurrence = Recurrence(.seconds, 0, 10, every: 9) }),
      ("duration", { $0.recurrence = Recurrence(.seconds, 0, 0, every: 9) }),
      ("start", { $0.recurrence = Recurrence(.seconds, -1, 1, every: 9) }),
      ("unit", { $0.recurrence = Recurrence(RecurrenceUnit(rawValue: 9), 0, 1, every: 9) }),
      ("zone", { $0.recurrence = Recurrence(.days, 0, 1, every: 1) }),
      ("zone", { $0.recurrence = Recurrence(.seconds, 0, 1, every: 1, "UTC") }),
      ("zone", { $0.recurrence = Recurrence(.days, 0, 1, every: 1, "Nowhere") }),
      (
        "hasWindows",
        {
          $0.hasWindows = true
          $0.recurrence = Recurrence(.days, 0, 1, every: 1, "UTC")
        }
      ),
    ]
    for (argument, change) in faults {
      expectRefusal(.invalidArgument, argument) { try world.define("board", change) }
    }
  }
}

extension Recurrence {
  init(
    _ unit: RecurrenceUnit, _ start: Int64, _ duration: Int64, every interval: Int64,
    _ zone: String = ""
  ) {
    self.init()
    self.unit = unit
    self.start = start
    self.duration = duration
    self.interval = interval
    self.zone = zone
  }
}
