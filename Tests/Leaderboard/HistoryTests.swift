import Domain
import Operations
import Testing
import TestKit
import Wire

@testable import LeaderboardCore

/// What a board's past says, against what the board itself showed then.
struct HistoryTests {
  typealias P = Players
  static let day: Int64 = 24 * 3600 * 1000

  @Test("4.4 the rank at any past date is the one that was shown then", arguments: 0..<100)
  func agreesWithThePast(seed: UInt64) throws {
    var past = PastWorld(seed: seed)
    try past.define()
    for step in 0..<120 {
      try past.act()
      if step % 20 == 19 { for _ in 0..<4 { try past.check() } }
    }
    // Time has sorted what a restart has left behind.
    past.world.driver.runTimers()
    try past.world.settle()
    for _ in 0..<12 { try past.check() }
    let history = try #require(try past.world.board.extras?.history)
    #expect(history.dueLevel == nil && history.row.levels.count > 1, "the runs were merged")
  }

  @Test("4.4 with the sizes that boards have: thousands of changes, few rows read")
  func standardSizes() throws {
    let world = World()
    try world.define {
      $0.historyDays = 30
      $0.aggregation = .latest
    }
    var random = RandomSource.seeded(7)
    var shown: [(date: Int64, reply: RankOfPlayer.Reply)] = []
    for _ in 0..<6000 {
      world.driver.clock += 1
      let player = PlayerID.sample(UInt64.random(in: 0..<1000, using: &random))
      try world.submit(Int64.random(in: 0..<1_000_000, using: &random), as: player)
      if shown.count < world.driver.engine.batch / 300 {
        shown.append((world.driver.clock, try world.rank(of: .sample(1))))
      }
      // Sorting keeps pace.
      try world.settle()
    }
    for _ in 0..<2 {
      for (date, reply) in shown {
        let (before, rounds) = (world.driver.readRowCount, world.driver.readRoundCount)
        #expect(try world.rank(of: .sample(1), at: date) == reply)
        let read = world.driver.readRowCount - before
        #expect(world.driver.readRoundCount - rounds <= 2)
        // A stretch, what is not sorted yet, and in two levels at most 14 runs for each of two
        // places.
        #expect(read <= 512 + 512 + 2 * 14 * 2 + 1, "\(read) rows")
      }
      try world.driver.restart()
    }
  }

  @Test("4.4 what sorts and what removes goes in bounded steps")
  func steps() throws {
    let world = World()
    try world.define { $0.historyDays = 2 }
    _ = try world.driver.takeEffects(RecordLeaderboard.self)
    for number in 0..<6000 {
      world.driver.clock += 1
      try world.submit(Int64(number), as: .sample(UInt64(number % 50)))
    }
    func takeSteps() throws -> Int {
      var steps = 0
      while !world.driver.effects.isEmpty {
        let (read, changes) = (world.driver.readRowCount, world.rowCount(RankChangeRow.tableID))
        #expect(try world.driver.deliverOwnEffects(atMost: 1).isEmpty)
        #expect(world.driver.readRowCount - read <= 512)
        #expect(changes - world.rowCount(RankChangeRow.tableID) <= 256)
        steps += 1
      }
      return steps
    }
    // Of 11 stretches that are over, 8 make a run of the next level.
    #expect(try takeSteps() == 12)
    #expect(world.rowCount(RankRunRow.tableID) > 0)
    #expect(world.rowCount(PastEntryRow.tableID) == 6000)
    world.driver.clock += 2 * Self.day
    world.driver.runTimers()
    #expect(try takeSteps() >= 6000 / 256)
    for table in [RankChangeRow.tableID, PastEntryRow.tableID] {
      #expect(world.rowCount(table) == 0)
    }
    #expect(try world.rank(of: .sample(49), at: world.driver.clock).entry?.rank == 1)
  }

  @Test("4.4 while more changes than a query may read are unsorted, it is put off")
  func overload() throws {
    let world = World()
    world.driver.core.histories.shape.stretchCount = 2
    try world.define { $0.historyDays = 1 }
    let begin = world.driver.clock
    world.driver.clock += 1
    for number in 1...128 { try world.submit(Int64(number), as: P.ada) }
    #expect(try world.rank(of: P.ada, at: begin) == RankOfPlayer.Reply())
    try world.submit(129, as: P.ada)
    expectRefusal(.backpressure, "date") { _ = try world.rank(of: P.ada, at: begin) }
    try world.settle()
    #expect(try world.rank(of: P.ada, at: begin) == RankOfPlayer.Reply())
    #expect(try world.rank(of: P.ada, at: world.driver.clock).entry?.value == 129)
  }

  @Test("4.4 a history begins and ends with its definition, and leaves nothing behind")
  func beginAndEnd() throws {
    let world = World()
    try world.define()
    try world.submit(5, as: P.ada)
    #expect(world.rowCount(PastEntryRow.tableID) == 0)
    world.driver.clock += 10
    let begin = world.driver.clock
    try world.define { $0.historyDays = 3 }
    world.driver.clock += 10
    try world.submit(7, as: P.bob)
    #expect(try world.rank(of: P.ada, at: begin).entry?.rank == 1)
    #expect(try world.rank(of: P.ada, at: begin).total == 1)
    #expect(try world.rank(of: P.ada, at: world.driver.clock).entry?.rank == 2)
    try world.define { $0.historyDays = 0 }
    expectRefusal(.invalidArgument, "date") { _ = try world.rank(of: P.ada, at: begin) }
    world.driver.clock += 10
    try world.submit(9, as: P.ada)
    // Begun again before the old one is gone: that one is not told any more.
    let again = world.driver.clock
    try world.define { $0.historyDays = 3 }
    expectRefusal(.notFound, "date") { _ = try world.rank(of: P.ada, at: again - 1) }
    #expect(try world.rank(of: P.ada, at: again).entry?.value == 9)
    try world.define { $0.historyDays = 0 }
    world.driver.runTimers()
    try world.settle()
    try world.driver.restart()
    let tables = [HistoryRow.tableID, RankChangeRow.tableID, PastEntryRow.tableID]
    for table in tables + [RankRunRow.tableID] { #expect(world.rowCount(table) == 0) }
  }

  @Test("4.4 a history that is given up while old changes go leaves nothing behind")
  func givenUpMeanwhile() throws {
    let world = World()
    try world.define { $0.historyDays = 3 }
    world.driver.clock += 10
    try world.submit(5, as: P.ada)
    world.driver.runTimers()
    world.driver.clock += 10
    try world.submit(7, as: P.bob)
    try world.define { $0.historyDays = 0 }
    try world.settle()
    world.driver.runTimers()
    try world.settle()
    for table in [HistoryRow.tableID, RankChangeRow.tableID, PastEntryRow.tableID] {
      #expect(world.rowCount(table) == 0)
    }
  }

  @Test("4.4 4.6 a tie rule leaves the history what it is")
  func otherTieRule() throws {
    let world = World()
    try world.define { $0.historyDays = 3 }
    try world.submit(5, as: P.ada)
    try world.submit(5, as: P.bob)
    let before = world.driver.clock
    world.driver.clock += 10
    _ = try world.reRank(tieRule: .sharedRank)
    try world.endReRank()
    try world.submit(9, as: P.bob)
    #expect(try world.rank(of: P.bob, at: before).entry?.rank == 1)
    #expect(try world.rank(of: P.ada, at: world.driver.clock).entry?.rank == 2)
  }

  @Test("4.4 4.6 a history begins anew when the board is ranked by another rule")
  func reRanked() throws {
    let world = World()
    try world.define { $0.historyDays = 3 }
    try world.submit(9, as: P.ada)
    try world.submit(7, as: P.bob)
    let before = world.driver.clock
    world.driver.clock += 10
    _ = try world.reRank(order: .lowFirst)
    try world.endReRank()
    expectRefusal(.notFound, "date") { _ = try world.rank(of: P.ada, at: before) }
    let begin = world.driver.clock
    world.driver.clock += 10
    try world.submit(1, as: P.ada)
    for _ in 0..<2 {
      #expect(try world.rank(of: P.ada, at: begin).entry?.rank == 2)
      #expect(try world.rank(of: P.ada, at: world.driver.clock).entry?.rank == 1)
      try world.driver.restart()
    }
  }

  @Test("4.4 4.6 the past keeps a score that was removed, and a ban lasts from its date to its end")
  func powers() throws {
    let world = World()
    try world.define { $0.historyDays = 3 }
    try world.submit(9, as: P.ada)
    try world.submit(7, as: P.bob)
    var dates: [Int64] = []
    func later(_ change: () throws -> Void) throws {
      dates.append(world.driver.clock)
      world.driver.clock += 5
      try change()
    }
    try later { try world.restrict(P.ada, .ban) }
    try later { try world.restrict(P.ada, .unban) }
    try later { try world.removeScore(of: P.ada) }
    dates.append(world.driver.clock)
    world.driver.clock += 5
    let ranks = try dates.map { try world.rank(of: P.bob, at: $0).entry?.rank }
    #expect(ranks == [2, 1, 2, 1])
    let own = try dates.map { try world.rank(of: P.ada, at: $0).entry?.rank }
    #expect(own == [1, nil, 1, nil])
  }

  @Test("4.4 a date that cannot be asked for is refused by name")
  func faults() throws {
    let world = World()
    try world.define("plain")
    try world.define("kept") { $0.historyDays = 2 }
    try world.define("weekly") { $0.recurrence = Recurrence(.weeks, 0, 1, every: 1, "UTC") }
    try world.submit(1, as: P.ada, to: "kept")
    let now = world.driver.clock
    func ask(_ board: String, _ date: Int64, _ period: ScorePeriod = ScorePeriod()) throws {
      _ = try world.rank(of: P.ada, on: board, in: period, at: date)
    }
    for board in ["plain", "weekly"] {
      expectRefusal(.invalidArgument, "date") { try ask(board, now) }
    }
    for date in [now + 1, .max] {
      expectRefusal(.invalidArgument, "date") { try ask("kept", date) }
    }
    for date in [now - 1, 0, -1, .min] {
      expectRefusal(.notFound, "date") { try ask("kept", date) }
    }
    expectRefusal(.invalidArgument, "timeScope") { try ask("kept", now, .today) }
    expectRefusal(.invalidArgument, "occurrencesBack") { try ask("kept", now, .back(1)) }
    // Days that are over cannot be asked for, also before the next round removes them.
    world.driver.clock += 2 * Self.day
    try ask("kept", now)
    world.driver.clock += 1
    expectRefusal(.notFound, "date") { try ask("kept", now) }
    // More days bring nothing back that a round has removed.
    world.driver.runTimers()
    try world.settle()
    try world.define("kept") { $0.historyDays = 20 }
    expectRefusal(.notFound, "date") { try ask("kept", now) }

    expectRefusal(.invalidArgument, "historyDays") {
      try world.define { $0.historyDays = LeaderboardLimits.historyDaysMax + 1 }
    }
    expectRefusal(.invalidArgument, "historyDays") {
      try world.define {
        $0.historyDays = 1
        $0.recurrence = Recurrence(.weeks, 0, 1, every: 1, "UTC")
      }
    }
  }
}

/// A board with a history of small runs to which anything happens, and what it showed at each date.
struct PastWorld {
  let world: World
  private var random: RandomSource
  private let players: [PlayerID]
  private let begin: Int64
  /// In order of dates: the board after everything that happened at one.
  private var shown: [(date: Int64, page: ScorePage)] = []

  init(seed: UInt64) {
    world = World(seed: seed)
    random = .seeded(seed)
    players = (0..<Int.random(in: 2...9, using: &random)).map { .sample(UInt64($0)) }
    begin = world.driver.clock
  }

  mutating func define() throws {
    var shape = HistoryShape()
    shape.stretchCount = .random(in: 1...6, using: &random)
    shape.fanOut = .random(in: 2...3, using: &random)
    shape.rowPointCount = .random(in: 1...3, using: &random)
    world.driver.core.histories.shape = shape
    let (isLow, isShared) = (Bool.random(using: &random), Bool.random(using: &random))
    let aggregation = ScoreAggregation(rawValue: .random(in: 0...2, using: &random))
    try world.define {
      $0.sortOrder = isLow ? .lowFirst : .highFirst
      $0.tieRule = isShared ? .sharedRank : .earliestFirst
      $0.aggregation = aggregation
      $0.attempts = .forever
      $0.historyDays = 1
    }
    try note()
  }

  private mutating func note() throws {
    let date = world.driver.clock
    if shown.last?.date == date { shown.removeLast() }
    shown.append((date, try world.top()))
  }

  mutating func act() throws {
    world.driver.clock += [0, 0, 1, 1, 2, 900_000, 3_600_000].randomElement(using: &random) ?? 0
    let player = players.randomElement(using: &random) ?? PlayerID()
    do {
      switch Int.random(in: 0..<20, using: &random) {
      case 0: try world.removeScore(of: player)
      case 1: try world.removeScore(of: player, fallsBack: true)
      case 2...4:
        try world.restrict(player, .init(rawValue: .random(in: 0...3, using: &random)))
      default:
        let tag = random.next()
        try world.submit(.random(in: -4...4, using: &random), as: player, scoreTag: tag)
      }
    } catch is Failure {
      // Nothing to remove, or a banned player: nothing happened.
    }
    try note()
    switch Int.random(in: 0..<12, using: &random) {
    case 0: try world.driver.restart()
    case 1: world.driver.runTimers()
    case 2: try world.settle()
    case 3...8: #expect(try world.driver.deliverOwnEffects(atMost: 1).isEmpty)
    default: break
    }
  }

  /// Asks for a date and a player.
  mutating func check() throws {
    let now = world.driver.clock
    let near = shown.randomElement(using: &random)?.date ?? now
    let date = min(now, max(begin, near + .random(in: -1...2, using: &random)))
    let player = players.randomElement(using: &random) ?? PlayerID()
    if date < now - HistoryTests.day {
      expectRefusal(.notFound, "date") { _ = try world.rank(of: player, at: date) }
      return
    }
    let page = shown.last { $0.date <= date }?.page ?? ScorePage()
    var expected = RankOfPlayer.Reply()
    expected.total = page.total
    expected.entry = page.entries.first { $0.player == player }
    if let own = expected.entry {
      let isLow = try world.board.definition.sortOrder == .lowFirst
      let worse = page.entries.count { isLow ? $0.value > own.value : $0.value < own.value }
      let others = page.entries.count - 1
      expected.percentile = others == 0 ? 100 : 100 * Double(worse) / Double(others)
    }
    let reply = try world.rank(of: player, at: date)
    #expect(reply == expected, "\(player) at \(date), now \(now)")
  }
}

extension World {
  fileprivate var board: Board {
    get throws {
      try #require(driver.core.boards[RoutingKey(game: "game", name: "board")])
    }
  }
}
