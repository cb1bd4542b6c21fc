import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import LeaderboardCore

/// Ranking a board anew by another rule.
struct ReRankTests {
  typealias P = Players

  @Test("4.6 a board is ranked by the old order until the new one is whole, then by that at once")
  func order() throws {
    let world = World()
    try world.define()
    for (value, player) in [(5, P.ada), (3, P.bob), (5, P.cleo), (9, P.dan)] {
      try world.submit(Int64(value), as: player)
    }
    world.setReRankStep(entries: 2, attempts: 2)
    let progress = try #require(try world.reRank(order: .lowFirst))
    #expect(progress.number == 1 && progress.sortOrder == .lowFirst && progress.endDate == nil)
    #expect(progress.rankedCount == 0 && progress.entryCount == 4)
    world.driver.clock += 7
    _ = try world.driver.takeEffects(RecordLeaderboard.self)
    var ranked: [UInt64] = []
    while try world.describe().reRank?.endDate == nil {
      #expect(try world.top().entries.map(\.value) == [9, 5, 5, 3])
      #expect(try world.stepReRank())
      ranked.append(try #require(try world.describe().reRank?.rankedCount))
    }
    // The first step makes places.
    #expect(ranked.prefix(3) == [0, 2, 4])
    for _ in 0..<2 {
      #expect(try world.top().entries.map(\.player) == [P.bob, P.ada, P.cleo, P.dan])
      #expect(try world.rank(of: P.cleo).entry?.rank == 3)
      #expect(try world.describe().definition.sortOrder == .lowFirst)
      #expect(try world.describe().reRank?.endDate == world.driver.clock)
      try world.endReRank()
      #expect(world.driver.effects.isEmpty)
      try world.driver.restart()
    }
    // From now on it is declared so, and a lower score is the better one.
    #expect(try world.define { $0.sortOrder = .lowFirst } == .unchanged)
    #expect(try world.submit(1, as: P.dan).entry.rank == 1)
  }

  @Test("4.6 a tie rule changes in one step, and what is so already changes nothing")
  func tieRule() throws {
    let world = World()
    try world.define()
    _ = try world.driver.takeEffects(RecordLeaderboard.self)
    for player in [P.ada, P.bob] { try world.submit(5, as: player) }
    #expect(try world.reRank(order: .highFirst, tieRule: .earliestFirst) == nil)
    #expect(world.driver.effects.isEmpty)
    try world.reRank(tieRule: .sharedRank)
    #expect(try world.top().entries.map(\.rank) == [1, 2])
    #expect(try world.stepReRank())
    #expect(try world.top().entries.map(\.rank) == [1, 1])
    #expect(try world.describe().reRank?.endDate != nil)
  }

  @Test("4.6 a tie rule alone leaves windows as they are, and counts in them too")
  func tieRuleOfWindows() throws {
    let world = World()
    try world.define { $0.hasWindows = true }
    for player in [P.ada, P.bob] { try world.submit(5, as: player) }
    world.setReRankStep(entries: 2, attempts: 1)
    let windows = try #require(world.driver.core.boards.all.first?.extras?.windows)
    let rankings = windows.rankings
    try world.reRank(tieRule: .sharedRank)
    #expect(windows.successor == nil)
    #expect(try world.stepReRank())
    #expect(try world.describe().reRank?.endDate != nil)
    #expect(windows.rankings === rankings)
    #expect(try world.top(in: .today).entries.map(\.rank) == [1, 1])
    #expect(try world.submit(4, as: P.cleo).entry.rank == 3)
    #expect(try world.rank(of: P.cleo, in: .week).entry?.rank == 3)
  }

  @Test("4.6 refused: unknown terms, another one under way, definitions meanwhile")
  func refusals() throws {
    let world = World()
    try world.define()
    try world.submit(5, as: P.ada)
    expectRefusal(.notFound, "board") { try world.reRank("none") }
    expectRefusal(.requiredArgument, "board") { try world.reRank("") }
    expectRefusal(.invalidArgument, "sortOrder") {
      try world.reRank(order: ScoreOrder(rawValue: 9))
    }
    expectRefusal(.invalidArgument, "tieRule") {
      try world.reRank(tieRule: ScoreTieRule(rawValue: 9))
    }
    expectRefusal(.invalidArgument, "aggregation") {
      try world.reRank(aggregation: ScoreAggregation(rawValue: 9))
    }
    expectRefusal(.notAllowed) {
      var operation = ReRankLeaderboard()
      operation.board = "board"
      try world.driver.call(operation, as: P.ada)
    }
    expectRefusal(.conflict, "sortOrder") { try world.define { $0.sortOrder = .lowFirst } }
    try world.reRank(order: .lowFirst)
    #expect(try world.reRank(order: .lowFirst)?.number == 1)
    expectRefusal(.conflict, "board") { try world.reRank(tieRule: .sharedRank) }
    expectRefusal(.conflict, "board") { try world.define { $0.title = "other" } }
    #expect(try world.define() == .unchanged)
    try world.endReRank()
    #expect(
      try world.define {
        $0.sortOrder = .lowFirst
        $0.title = "other"
      } == .updated)
    #expect(try world.reRank(order: .highFirst)?.number == 2)
  }

  @Test("4.6 a re-rank is in the audit once, also when the call is repeated")
  func audit() throws {
    let world = World()
    try world.define()
    try world.submit(5, as: P.ada)
    let key = IdempotencyKey(instance: 9, counter: 1, floor: 1)
    let first = try world.reRank(order: .lowFirst, key: key)
    try world.driver.restart()
    #expect(try world.reRank(order: .lowFirst, key: key) == first)
    try world.endReRank()
    let rows = try (world.driver.rows[AuditRow.tableID] ?? [:]).values
      .map { try AuditRow(decoding: $0) }
    #expect(rows.count { $0.operation == "ReRankLeaderboard" } == 1)
    #expect(try world.describe().reRank?.number == 1)
  }

  @Test("4.6 6.6 an open challenge is judged by the order at the time of the score")
  func challenges() throws {
    let world = World()
    try world.define()
    try world.submit(10, as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.reRank(order: .lowFirst)
    #expect(try world.submit(9, as: P.bob).completedChallenges.isEmpty)
    try world.endReRank()
    #expect(try world.submit(9, as: P.bob).completedChallenges.count == 1)
  }

  @Test("4.6 6.6 on a board that becomes one of sums the next score completes what the sum meets")
  func challengesOfSums() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    try world.submit(50, as: P.ada)
    for value: Int64 in [30, 30] { try world.submit(value, as: P.bob) }
    let issued = try world.issue(to: [P.bob, P.cleo], as: P.ada)
    try world.reRank(aggregation: .sum)
    #expect(try world.submit(1, as: P.bob).completedChallenges.isEmpty)
    try world.endReRank()
    #expect(try world.received(by: P.bob).count == 1)
    #expect(try world.submit(0, as: P.bob).completedChallenges == [issued[0].challenge])
    for value: Int64 in [30, 20] {
      let completed = try world.submit(value, as: P.cleo).completedChallenges
      #expect(completed == (value == 20 ? [issued[1].challenge] : []))
    }
  }

  @Test("4.6 a step touches few rows and brings over no more than it may, at any size")
  func bounds() throws {
    let world = World()
    try world.define { $0.hasWindows = true }
    let count: UInt64 = 3000
    for number in 0..<count { try world.submit(Int64(number * 7919 % 1000), as: .sample(number)) }
    try world.reRank(order: .lowFirst)
    var (steps, ranked) = (0, UInt64(0))
    while try world.describe().reRank?.endDate == nil {
      let before = world.driver.changeCount
      #expect(try world.stepReRank())
      #expect(world.driver.changeCount - before <= 6)
      let now = try #require(try world.describe().reRank?.rankedCount)
      #expect(now <= ranked + UInt64(ReRankStep().entriesMax))
      (steps, ranked) = (steps + 1, now)
    }
    #expect(steps == 4 + 3000 / ReRankStep().attemptsMax + 1)
    #expect(try world.top(in: .week).entries.first?.value == 0)
    // What was before is let go of in steps too.
    var rest = 0
    while try world.stepReRank() { rest += 1 }
    #expect(rest > 3000 / ReRankStep().attemptsMax)
  }

  @Test("4.2 4.6 a new aggregation makes entries anew from the kept attempts, whole")
  func recount() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    for (value, player, tag) in [(5, P.ada, 1), (3, P.ada, 2), (4, P.bob, 3), (4, P.bob, 4)] {
      try world.submit(Int64(value), as: player, scoreTag: UInt64(tag))
    }
    #expect(try world.top().entries.map(\.value) == [5, 4])
    for (aggregation, values, tags) in [
      (ScoreAggregation.sum, [8, 8] as [Int64], [2, 4] as [UInt64]), (.latest, [4, 3], [4, 2]),
      (.best, [5, 4], [1, 3]),
    ] {
      try world.reRank(aggregation: aggregation)
      try world.endReRank()
      for _ in 0..<2 {
        #expect(try world.top().entries.map(\.value) == values)
        #expect(try world.top().entries.map(\.scoreTag) == tags)
        try world.driver.restart()
      }
    }
    // What is best is the lowest from now on.
    try world.reRank(order: .lowFirst)
    try world.endReRank()
    #expect(try world.top().entries.map(\.value) == [3, 4])
  }

  @Test("4.6 attempts from before they were kept count as far as entries show them")
  func halfKept() throws {
    let world = World()
    try world.define()
    for (value, player) in [(9, P.ada), (7, P.bob), (6, P.cleo)] {
      try world.submit(Int64(value), as: player)
    }
    try world.define { $0.attempts = .forever }
    try world.submit(5, as: P.ada)
    try world.submit(8, as: P.bob)
    try world.reRank(aggregation: .sum)
    try world.endReRank()
    // Ada's 9 and 5; Bob's 8, whose 7 nothing shows any more; Cleo's 6.
    #expect(try world.top().entries.map(\.value) == [14, 8, 6])
  }

  @Test(
    "4.6 an entry from before attempts were kept counts whenever its player submits",
    arguments: 0..<5)
  func submitsMeanwhile(stepsBefore: Int) throws {
    let world = World()
    try world.define()
    try world.submit(9, as: P.ada)
    try world.define { $0.attempts = .forever }
    try world.submit(5, as: P.cleo)
    world.setReRankStep(entries: 1, attempts: 1)
    try world.reRank(aggregation: .sum)
    for _ in 0..<stepsBefore { _ = try world.stepReRank() }
    try world.submit(4, as: P.ada)
    try world.endReRank()
    #expect(try world.top().entries.map(\.value) == [13, 5])
  }

  @Test("4.6 an aggregation that cannot be made anew is refused, and why")
  func noRecount() throws {
    let world = World()
    try world.define("none")
    try world.define("days") {
      $0.attempts = .days
      $0.attemptDays = 3
    }
    for board in ["none", "days"] {
      expectRefusal(.conflict, "aggregation") { try world.reRank(board, aggregation: .sum) }
      #expect(try world.describe(board).reRank == nil)
    }
  }

  /// A board whose occurrences last 100 seconds each, at the start of the first one.
  private func seasons() throws -> World {
    let world = World()
    try world.define {
      $0.attempts = .forever
      $0.olderOccurrencesKept = 1
      $0.recurrence = Recurrence(.seconds, 1_700_000_000, 100, every: 100)
    }
    return world
  }

  @Test("4.6 a new rule makes the entries of every kept occurrence anew from the kept attempts")
  func occurrences() throws {
    let world = try seasons()
    for value: Int64 in [10, 50] { try world.submit(value, as: P.bob) }
    try world.submit(20, as: P.ada)
    world.driver.clock += 100_000
    for value: Int64 in [30, 60] { try world.submit(value, as: P.bob) }
    for value: Int64 in [40, 5] { try world.submit(value, as: P.ada) }
    func expect(_ before: [Int64], _ now: [Int64]) throws {
      for _ in 0..<2 {
        #expect(try world.top(in: .back(1)).entries.map(\.value) == before)
        #expect(try world.top().entries.map(\.value) == now)
        #expect(world.rowCount(OccurrenceEntryRow.tableID) == 4)
        try world.driver.restart()
      }
    }
    try expect([50, 20], [60, 40])
    world.setReRankStep(entries: 1, attempts: 1)
    try world.reRank(order: .lowFirst)
    _ = try world.stepReRank()
    #expect(try world.top().entries.map(\.value) == [60, 40])
    try world.endReRank()
    try expect([10, 20], [5, 30])
    try world.reRank(order: .highFirst, aggregation: .sum)
    try world.endReRank()
    try expect([60, 20], [90, 45])
  }

  @Test("4.6 a removal in one occurrence hides no attempts of another from a recount")
  func removedOccurrence() throws {
    let world = try seasons()
    for value: Int64 in [10, 50] { try world.submit(value, as: P.bob) }
    world.driver.clock += 100_000
    for value: Int64 in [1, 7] { try world.submit(value, as: P.bob) }
    try world.removeScore(of: P.bob)
    try world.reRank(order: .lowFirst)
    try world.endReRank()
    #expect(try world.top(in: .back(1)).entries.map(\.value) == [10])
    #expect(try world.top().total == 0)
  }

  @Test("4.6 a score in quarantine is made anew from the attempts of its own occurrence")
  func heldOfOccurrence() throws {
    let world = try seasons()
    for value: Int64 in [10, 50] { try world.submit(value, as: P.bob) }
    try world.restrict(P.bob, .quarantine)
    world.driver.clock += 100_000
    for value: Int64 in [1, 7] { try world.submit(value, as: P.bob) }
    try world.reRank(order: .lowFirst)
    try world.endReRank()
    #expect(try world.top(in: .back(1)).total == 0)
    try world.restrict(P.bob, .release)
    try world.driver.restart()
    #expect(try world.top(in: .back(1)).entries.map(\.value) == [10])
    #expect(try world.top().entries.map(\.value) == [1])
  }

  @Test(
    "4.2 4.6 an occurrence that goes during a re-rank leaves no row behind", arguments: 0..<20)
  func dropped(stepsBefore: Int) throws {
    for restarts in [false, true] {
      let world = try seasons()
      for value: Int64 in [5, 6, 7] {
        for player in [P.ada, P.bob, P.ada] { try world.submit(value, as: player) }
        world.driver.clock += 100_000
      }
      world.setReRankStep(entries: 1, attempts: 1)
      try world.reRank(order: .lowFirst)
      for _ in 0..<stepsBefore { _ = try world.stepReRank() }
      func die() throws {
        guard restarts else { return }
        try world.driver.restart()
        world.setReRankStep(entries: 1, attempts: 1)
      }
      try die()
      try world.submit(8, as: P.ada)
      try die()
      world.driver.runTimers()
      _ = try world.stepReRank()
      try die()
      try world.endReRank()
      world.driver.runTimers()
      #expect(world.rowCount(OccurrenceRow.tableID) == 3)
      #expect(world.rowCount(OccurrenceEntryRow.tableID) == 5)
      try world.driver.restart()
      #expect(try world.top().entries.map(\.value) == [8])
      #expect(try world.top(in: .back(2)).entries.map(\.value) == [6, 6])
      #expect(world.driver.core.boards.all.first?.extras?.former.isEmpty == true)
    }
  }

  @Test("4.6 on a board that keeps days a new order counts what is kept and what is shown")
  func keptDays() throws {
    let world = World()
    try world.define { ($0.attempts, $0.attemptDays) = (.days, 9) }
    for value: Int64 in [10, 50] {
      try world.submit(value, as: P.bob)
      try world.submit(value, as: P.ada)
    }
    // Ada's attempts are kept no longer while hers is in quarantine; her entries are.
    try world.submit(4, as: P.ada)
    try world.restrict(P.ada, .quarantine)
    world.driver.clock += 8 * 24 * 3600 * 1000
    for player in [P.ada, P.bob] { try world.submit(70, as: player) }
    world.driver.clock += 2 * 24 * 3600 * 1000
    world.driver.runTimers()
    try world.settle()
    #expect(world.rowCount(AttemptRow.tableID) == 2)
    try world.submit(60, as: P.bob)
    try world.reRank(order: .lowFirst)
    try world.endReRank()
    for _ in 0..<2 {
      #expect(try world.top().entries.map(\.value) == [60, 70])
      try world.driver.restart()
    }
    try world.restrict(P.ada, .release)
    #expect(try world.top().entries.map(\.value) == [50, 60])
  }

  @Test("4.6 a score in quarantine is made anew too when it comes back")
  func quarantine() throws {
    let world = World()
    try world.define { $0.attempts = .forever }
    for value: Int64 in [5, 3] { try world.submit(value, as: P.ada) }
    try world.restrict(P.ada, .ban)
    try world.reRank(aggregation: .sum)
    try world.endReRank()
    try world.driver.restart()
    #expect(try world.top().total == 0)
    try world.restrict(P.ada, .unban)
    #expect(try world.rank(of: P.ada).entry?.value == 8)
    #expect(world.rowCount(PlayerMarkRow.tableID) == 0)
  }

  @Test("4.6 a sum in quarantine, from before attempts were kept, is no best score of later ones")
  func heldSum() throws {
    let world = World()
    try world.define { $0.aggregation = .sum }
    for player in [P.ada, P.bob, P.cleo] {
      for value: Int64 in [50, 50] { try world.submit(value, as: player) }
    }
    try world.define { ($0.aggregation, $0.attempts) = (.sum, .forever) }
    for player in [P.ada, P.bob] { try world.restrict(player, .quarantine) }
    for player in [P.ada, P.cleo] { try world.submit(30, as: player) }
    try world.driver.restart()
    try world.reRank(aggregation: .best)
    try world.endReRank()
    for player in [P.ada, P.bob] { try world.restrict(player, .release) }
    try world.driver.restart()
    // Of Bob's attempts none was kept, so that his entry is as it was.
    #expect(try world.top().entries.map(\.player) == [P.bob, P.ada, P.cleo])
    #expect(try world.top().entries.map(\.value) == [100, 30, 30])
    #expect(world.rowCount(PlayerMarkRow.tableID) == 0)
  }

  @Test("4.6 an owner changes few rows during a re-rank, however many occurrences are kept")
  func powersAmidOccurrences() throws {
    for restarts in [false, true] {
      let world = World()
      try world.define {
        $0.attempts = .forever
        $0.olderOccurrencesKept = 30
        $0.recurrence = Recurrence(.seconds, 1_700_000_000, 100, every: 100)
      }
      for value in 0..<30 as Range<Int64> {
        if value > 0 { world.driver.clock += 100_000 }
        for player in [P.ada, P.bob] {
          for value in [value, value + 1] { try world.submit(value, as: player) }
        }
      }
      try world.settle()
      try world.reRank(order: .lowFirst)
      _ = try world.stepReRank()
      if restarts { try world.driver.restart() }
      func change(_ change: () throws -> Void) rethrows {
        let before = world.driver.changeCount
        try change()
        // The entry, the mark, the new entry, effects, the audit and the answer to the call.
        #expect(world.driver.changeCount - before <= 12)
      }
      try change { try world.restrict(P.ada, .quarantine) }
      try change { try world.removeScore(of: P.bob, fallsBack: true) }
      try change { try world.removeScore(of: P.bob) }
      try world.endReRank()
      try world.settle()
      for _ in 0..<2 {
        #expect(world.rowCount(OccurrenceEntryRow.tableID) == 58)
        #expect(try world.top().total == 0)
        #expect(try world.top(in: .back(1)).entries.map(\.value) == [28, 28])
        #expect(try world.top(in: .back(29)).entries.map(\.value) == [0, 0])
        try world.driver.restart()
      }
      try change { try world.restrict(P.ada, .release) }
      #expect(try world.top().entries.map(\.value) == [29])
    }
  }
}
