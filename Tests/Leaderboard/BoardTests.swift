import LeaderboardCore
import Operations
import Testing
import TestKit
import Wire

/// Declaring boards and submitting scores.
struct BoardTests {
  typealias P = Players

  @Test("4.1 a score without a value is refused, and 0 is a value")
  func missingValue() throws {
    let world = World()
    try world.define()
    expectRefusal(.requiredArgument, "value") { try world.submit(nil, as: P.ada) }
    let reply = try world.submit(0, as: P.ada)
    #expect(reply.entry.value == 0 && reply.entry.rank == 1 && reply.isImproved)
    #expect(reply.total == 1)
  }

  @Test("4.1 a score is any 64 bits with any tag, dated by the server, of its player")
  func wholeScore() throws {
    let world = World()
    try world.define { $0.aggregation = .latest }
    for (value, tag) in [(.min, .max), (.max, 0), (-1, 1)] as [(Int64, UInt64)] {
      world.driver.clock += 7
      var expected = LeaderboardEntry()
      expected.rank = 1
      expected.player = P.ada
      expected.value = value
      expected.scoreTag = tag
      expected.date = world.driver.clock
      #expect(try world.submit(value, as: P.ada, scoreTag: tag).entry == expected)
      try world.driver.restart()
      #expect(try world.rank(of: P.ada).entry == expected)
    }
  }

  @Test("4.2 a board keeps all that is declared of it")
  func declared() throws {
    let world = World()
    var declared = LeaderboardDefinition()
    func change(_ definition: inout LeaderboardDefinition) {
      definition.title = "Fastest laps"
      definition.sortOrder = .lowFirst
      definition.aggregation = .sum
      definition.tieRule = .sharedRank
      definition.minimum = -5
      definition.maximum = 5000
      definition.format = .hundredths
      definition.attempts = .days
      definition.attemptDays = 30
      definition.recurrence = Recurrence(.weeks, 1_600_000_000, 1, every: 2, "UTC")
      definition.olderOccurrencesKept = 3
      definition.isServerWritten = true
      definition.rateCount = 4
      definition.rateSeconds = 60
      definition.requiresTicket = true
      definition.runSecondsMin = 9
    }
    declared.board = "laps"
    change(&declared)
    try world.define("laps", change)
    try world.driver.restart()
    var describe = DescribeLeaderboard()
    describe.board = "laps"
    #expect(try world.driver.call(describe, as: P.ada).definition == declared)
    #expect(try world.define("laps", change) == .unchanged)
  }

  @Test("4.2 4.4 the least comes first on a low-first board")
  func lowFirst() throws {
    let world = World()
    try world.define { $0.sortOrder = .lowFirst }
    for (player, value) in [(P.ada, 30), (P.bob, -7), (P.cleo, 12)] as [(PlayerID, Int64)] {
      try world.submit(value, as: player)
    }
    #expect(try world.top().entries.map(\.value) == [-7, 12, 30])
    #expect(try world.submit(40, as: P.bob).isImproved == false)
    #expect(try world.submit(-8, as: P.ada).entry.rank == 1)
  }

  @Test("4.2 best keeps one attempt whole")
  func bestIsWhole() throws {
    let world = World()
    try world.define()
    try world.submit(10, as: P.ada, scoreTag: 1)
    world.driver.clock += 1000
    let better = try world.submit(20, as: P.ada, scoreTag: 2)
    let date = world.driver.clock
    #expect(better.isImproved)
    world.driver.clock += 1000
    let worse = try world.submit(15, as: P.ada, scoreTag: 3)
    #expect(!worse.isImproved)
    let equal = try world.submit(20, as: P.ada, scoreTag: 4)
    #expect(!equal.isImproved)
    try world.driver.restart()
    let entry = try world.rank(of: P.ada).entry
    #expect(entry?.value == 20 && entry?.scoreTag == 2 && entry?.date == date)
    #expect(entry == equal.entry)
  }

  @Test("4.2 latest keeps the latest attempt whole")
  func latest() throws {
    let world = World()
    try world.define { $0.aggregation = .latest }
    try world.submit(20, as: P.ada, scoreTag: 1)
    world.driver.clock += 5
    let reply = try world.submit(10, as: P.ada, scoreTag: 2)
    #expect(!reply.isImproved)
    #expect(reply.entry.value == 10 && reply.entry.scoreTag == 2)
    #expect(reply.entry.date == world.driver.clock)
    #expect(try world.submit(11, as: P.ada).isImproved)
  }

  @Test("4.2 sum adds up, refuses overflow and does not move for 0")
  func sum() throws {
    let world = World()
    try world.define { $0.aggregation = .sum }
    try world.submit(.max - 1, as: P.ada)
    try world.submit(.max - 1, as: P.bob)
    #expect(try world.submit(0, as: P.ada).entry.rank == 1)
    expectRefusal(.invalidArgument, "value") { try world.submit(2, as: P.ada) }
    #expect(try world.submit(1, as: P.ada).entry.value == .max)
    #expect(try world.submit(-5, as: P.ada).isImproved == false)
    #expect(try world.rank(of: P.ada).entry?.rank == 2)
  }

  @Test("4.2 a value outside the board's limits is refused")
  func limits() throws {
    let world = World()
    try world.define {
      $0.minimum = -3
      $0.maximum = 3
    }
    for value: Int64 in [-4, 4, .min, .max] {
      expectRefusal(.invalidArgument, "value") { try world.submit(value, as: P.ada) }
    }
    for value: Int64 in [-3, 3] { try world.submit(value, as: P.ada) }
    expectRefusal(.notFound, "board") { try world.submit(1, as: P.ada, to: "other") }
    expectRefusal(.requiredArgument, "board") { try world.submit(1, as: P.ada, to: "") }
  }

  @Test("4.2 ties: earliest first by date, then by arrival", arguments: [true, false])
  func earliestFirst(restarts: Bool) throws {
    let world = World()
    try world.define()
    for player in [P.cleo, P.ada, P.dan, P.bob] {
      try world.submit(7, as: player)
      if player == P.ada { world.driver.clock += 1 }
      if restarts { try world.driver.restart() }
    }
    #expect(try world.top().entries.map(\.player) == [P.cleo, P.ada, P.dan, P.bob])
    #expect(try world.top().entries.map(\.rank) == [1, 2, 3, 4])
    try world.removeScore(of: P.cleo)
    try world.submit(7, as: P.cleo)
    #expect(try world.top().entries.map(\.player) == [P.ada, P.dan, P.bob, P.cleo])
  }

  @Test("4.2 ties: equal values share a rank")
  func sharedRank() throws {
    let world = World()
    try world.define { $0.tieRule = .sharedRank }
    try world.submit(9, as: P.dan)
    for player in [P.ada, P.bob] { #expect(try world.submit(7, as: player).entry.rank == 2) }
    #expect(try world.submit(5, as: P.cleo).entry.rank == 4)
    #expect(try world.top().entries.map(\.rank) == [1, 2, 2, 4])
    #expect(try world.top(3, 2).entries.map(\.rank) == [2, 4])
    #expect(try world.rank(of: P.bob).entry?.rank == 2)
  }

  @Test("4.2 a board declared again as it is changes nothing")
  func redefined() throws {
    let world = World()
    #expect(try world.define { $0.title = "Best" } == .created)
    #expect(try world.define { $0.title = "Best" } == .unchanged)
    try world.submit(5, as: P.ada)
    let changed = try world.define {
      $0.title = "The best"
      $0.minimum = 1
      $0.maximum = 9
      $0.format = .seconds
    }
    #expect(changed == .updated)
    try world.driver.restart()
    var describe = DescribeLeaderboard()
    describe.board = "board"
    let reply = try world.driver.call(describe, as: P.ada)
    #expect(reply.definition.title == "The best" && reply.definition.maximum == 9)
    #expect(reply.total == 1)
  }

  @Test("4.2 what decides ranks cannot change under entries")
  func conflicts() throws {
    let world = World()
    let changes: [(String, (inout LeaderboardDefinition) -> Void)] = [
      ("sortOrder", { $0.sortOrder = .lowFirst }), ("aggregation", { $0.aggregation = .sum }),
      ("tieRule", { $0.tieRule = .sharedRank }),
      ("recurrence", { $0.recurrence = Recurrence(.seconds, 0, 9, every: 9) }),
    ]
    try world.define()
    for (_, change) in changes { #expect(try world.define("board", change) == .updated) }
    try world.define()
    try world.submit(5, as: P.ada)
    for (argument, change) in changes {
      expectRefusal(.conflict, argument) { try world.define("board", change) }
    }
    try world.removeScore(of: P.ada)
    #expect(try world.define { $0.sortOrder = .lowFirst } == .updated)
  }

  @Test("4.2 a definition that cannot be is refused, with its field's name")
  func faults() throws {
    let world = World()
    let faults: [(FailureCode, String, (inout LeaderboardDefinition) -> Void)] = [
      (.requiredArgument, "board", { $0.board = "" }),
      (.invalidArgument, "board", { $0.board = "über" }),
      (.invalidArgument, "board", { $0.board = String(repeating: "x", count: 101) }),
      (.invalidArgument, "title", { $0.title = String(repeating: "x", count: 201) }),
      (.invalidArgument, "sortOrder", { $0.sortOrder = ScoreOrder(rawValue: 9) }),
      (.invalidArgument, "aggregation", { $0.aggregation = ScoreAggregation(rawValue: 9) }),
      (.invalidArgument, "tieRule", { $0.tieRule = ScoreTieRule(rawValue: 9) }),
      (.invalidArgument, "format", { $0.format = ScoreFormat(rawValue: 99) }),
      (
        .invalidArgument, "minimum",
        {
          $0.minimum = 2
          $0.maximum = 1
        }
      ),
    ]
    for (code, argument, change) in faults {
      expectRefusal(code, argument) { try world.define("board", change) }
    }
    expectRefusal(.requiredArgument, "game") { try World(game: "").define() }
    expectRefusal(.notAllowed) {
      try world.driver.call(DefineLeaderboard(), as: P.ada, key: RoutingKey())
    }
  }

  @Test("4.2 a change that changes nothing writes nothing")
  func writes() throws {
    let world = World()
    try world.define()
    try world.submit(10, as: P.ada)
    try world.settle()
    func tableSizes() -> [UInt16: [[UInt8]: [UInt8]]] { world.driver.rows.filter { $0.key >= 16 } }
    let before = tableSizes()
    world.driver.clock += 1
    for value: Int64 in [10, 9, .min] { try world.submit(value, as: P.ada) }
    #expect(tableSizes() == before)
    #expect(world.driver.effects.isEmpty)
  }

  @Test("4.6 an operator removes a score")
  func removal() throws {
    let world = World()
    try world.define()
    for (player, value) in [(P.ada, 3), (P.bob, 2), (P.cleo, 1)] as [(PlayerID, Int64)] {
      try world.submit(value, as: player)
    }
    try world.removeScore(of: P.bob)
    expectRefusal(.notFound, "player") { try world.removeScore(of: P.bob) }
    for _ in 0..<2 {
      #expect(try world.top().entries.map(\.player) == [P.ada, P.cleo])
      #expect(try world.rank(of: P.bob).entry == nil)
      #expect(try world.rank(of: P.cleo).entry?.rank == 2)
      try world.driver.restart()
    }
    var operation = RemoveScore()
    operation.board = "board"
    expectRefusal(.notAllowed) { try world.driver.call(operation, as: P.ada) }
  }

  @Test("7.1 a repeated submission has the effect of one and the same answer")
  func repeated() throws {
    let world = World()
    try world.define { $0.aggregation = .sum }
    let key = IdempotencyKey(instance: 9, counter: 1, floor: 1)
    let first = try world.submit(5, as: P.ada, key: key)
    try world.driver.restart()
    #expect(try world.submit(5, as: P.ada, key: key) == first)
    #expect(try world.rank(of: P.ada).entry?.value == 5)
  }
}
