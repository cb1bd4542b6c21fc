import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import LeaderboardCore

/// Boards that are ranked anew while scores come and go and processes die, against slow obvious
/// models: whatever happens, all queries follow the old rule until the re-rank has ended, and then
/// the new one.
struct ReRankSimulation {
  /// Boards of seasons recur and keep their attempts.
  enum Kind: CaseIterable { case plain, windows, recurring, kept, seasons }
  /// Milliseconds of an occurrence.
  static let occurrence: Int64 = 100_000

  struct Round {
    let kind: Kind
    var random: RandomSource
    let world: World
    let players = (1...12).map { PlayerID.sample($0) }
    /// By occurrence; 0 on other boards.
    var models: [Int64: RankingTests.Model] = [:]
    var attempts = WindowTests.Model(definition: LeaderboardDefinition())
    var held: [PlayerID: RankingTests.Model.Entry] = [:]
    /// Whose sum has changed since it is held.
    var followed: Set<PlayerID> = []
    /// Attempts in quarantine, on boards that keep them.
    var hidden: [PlayerID: [WindowTests.Model.Attempt]] = [:]
    var definition = LeaderboardDefinition()
    var target: LeaderboardDefinition?
    /// The last occurrence that has had a score.
    var opened: Int64 = 0
    var step = 0
    var endedCount = 0

    init(seed: Int) throws {
      kind = Kind.allCases[seed % Kind.allCases.count]
      random = .seeded(UInt64(seed) &+ 77_000)
      world = World(seed: UInt64(seed))
      let rule = RankingTests.kinds[seed / 5 % RankingTests.kinds.count]
      definition.board = "board"
      definition.sortOrder = rule.order
      definition.aggregation = rule.aggregation
      definition.tieRule = rule.tieRule
      definition.hasWindows = kind == .windows || kind == .kept && seed % 8 < 4
      if isKept { definition.attempts = .forever }
      if recurs {
        world.driver.clock = 1_700_000_000_000
        definition.recurrence = Recurrence(
          .seconds, 1_700_000_000, Self.seconds, every: Self.seconds)
        definition.olderOccurrencesKept = 1
      }
      let definition = definition
      try world.define { $0 = definition }
      world.setReRankStep(entries: 3, attempts: 4)
    }

    private static var seconds: Int64 { ReRankSimulation.occurrence / 1000 }

    private var isKept: Bool { kind == .kept || kind == .seasons }
    private var recurs: Bool { kind == .recurring || kind == .seasons }
    private var number: Int64 { number(at: world.driver.clock) }

    private func number(at date: Int64) -> Int64 {
      recurs ? (date - 1_700_000_000_000) / ReRankSimulation.occurrence : 0
    }

    /// Where attempts are kept: what an occurrence's make, or all of a board of all time.
    private func ranking(of number: Int64, _ players: Set<PlayerID>? = nil) -> [LeaderboardEntry] {
      var model = attempts
      model.definition = definition
      model.attempts.removeAll { self.number(at: $0.date) != number }
      return model.ranking(players, length: .max, now: world.driver.clock)
    }

    private var model: RankingTests.Model {
      get {
        var model = models[number] ?? RankingTests.Model()
        model.definition = definition
        return model
      }
      set { models[number] = newValue }
    }

    mutating func run() throws {
      for step in 0..<160 {
        self.step = step
        let player = players[Int.random(in: 0..<players.count, using: &random)]
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<8: try submit(player)
        case 8: try remove(player)
        case 9: try restrict(player)
        case 10..<12: try begin()
        case 12..<18: try advance()
        case 18: try die()
        case 19: world.driver.runTimers()
        case 20: world.driver.clock += Int64.random(in: 0...clockStep, using: &random)
        default: try check(player)
        }
      }
      while target != nil { try advance() }
      try check(players[0])
      try world.driver.restart()
      try check(players[1])
      try world.settle()
      if isKept { try checkRows() }
    }

    private func checkRows() throws {
      world.driver.runTimers()
      let tables = [EntryRow.tableID, RankedEntryRow.tableID, OccurrenceEntryRow.tableID]
      let rows = tables.reduce(0) { $0 + world.rowCount($1) }
      let entries = (recurs ? opened - 2...opened : 0...0).reduce(0) { $0 + ranking(of: $1).count }
      #expect(rows == entries, "old rows are gone")
      let kept = hidden.values.reduce(attempts.attempts.count) { $0 + $1.count }
      #expect(world.rowCount(AttemptRow.tableID) == kept, "removed attempts are gone")
    }

    private var clockStep: Int64 {
      definition.hasWindows ? WindowTests.day : kind == .seasons ? 90_000 : 40_000
    }

    private mutating func submit(_ player: PlayerID) throws {
      let value = Int64.random(in: -4...4, using: &random)
      let tag = UInt64(step)
      try world.submit(value, as: player, scoreTag: tag)
      opened = number
      if value != 0 { followed.insert(player) }
      model.submit(value, tag, player, world.driver.clock)
      attempts.attempts.append(
        .init(
          player: player, value: value, tag: tag, date: world.driver.clock, number: step))
    }

    private mutating func remove(_ player: PlayerID) throws {
      guard !isKept else { return try removeKept(player) }
      guard model.entries[player] != nil || held[player] != nil else { return }
      try world.removeScore(of: player)
      model.entries[player] = nil
      held[player] = nil
      attempts.attempts.removeAll { $0.player == player }
    }

    private mutating func removeKept(_ player: PlayerID) throws {
      let entry = ranking(of: number, [player]).first
      if let entry, Bool.random(using: &random) {
        try world.removeScore(of: player, fallsBack: true)
        attempts.attempts.removeAll { $0.player == player && $0.tag == entry.scoreTag }
      } else if entry != nil || hidden[player] != nil {
        try world.removeScore(of: player)
        removeFromModel(player)
        hidden[player] = nil
      }
    }

    /// Takes the player's attempts in this occurrence out of the model.
    @discardableResult
    private mutating func removeFromModel(_ player: PlayerID) -> [WindowTests.Model.Attempt] {
      let own = attempts.attempts.filter {
        $0.player == player && number(at: $0.date) == number
      }
      attempts.attempts.removeAll { attempt in own.contains { $0.number == attempt.number } }
      return own
    }

    private mutating func restrictKept(_ player: PlayerID) throws {
      let isShown = !ranking(of: number, [player]).isEmpty
      let old = hidden[player] ?? []
      if !old.isEmpty && (!isShown || Bool.random(using: &random)) {
        try world.restrict(player, .release)
        hidden[player] = nil
        attempts.attempts = (attempts.attempts + old).sorted { $0.number < $1.number }
      } else if isShown {
        try world.restrict(player, .quarantine)
        // Those of an earlier occurrence make room.
        let before = old.filter { number(at: $0.date) == number }
        hidden[player] = before + removeFromModel(player)
      }
    }

    private mutating func restrict(_ player: PlayerID) throws {
      if isKept { return try restrictKept(player) }
      guard kind == .plain else { return }
      let entry = model.entries[player]
      if let old = held[player] {
        try world.restrict(player, .release)
        held[player] = nil
        let isChanged = followed.contains(player)
        model.entries[player] = entry.map { model.merged(old, $0, isChanged) } ?? old
      } else if let entry {
        try world.restrict(player, .quarantine)
        held[player] = entry
        followed.remove(player)
        model.entries[player] = nil
      }
    }

    private mutating func begin() throws {
      let rule = RankingTests.kinds[Int.random(in: 0..<RankingTests.kinds.count, using: &random)]
      var wanted = definition
      wanted.sortOrder = rule.order
      wanted.tieRule = rule.tieRule
      if isKept { wanted.aggregation = rule.aggregation }
      if let target, target != wanted {
        expectRefusal(.conflict, "board") {
          try world.reRank(
            order: wanted.sortOrder, tieRule: wanted.tieRule, aggregation: wanted.aggregation)
        }
      } else if wanted != definition {
        let accepted = try world.reRank(
          order: wanted.sortOrder, tieRule: wanted.tieRule, aggregation: wanted.aggregation)
        #expect(accepted?.aggregation == wanted.aggregation)
        target = wanted
      }
    }

    private mutating func advance() throws {
      try world.deliverBeforeReRank()
      let (before, ranked) = (
        world.driver.changeCount, try world.describe().reRank?.rankedCount ?? 0
      )
      let isDoubled = Int.random(in: 0..<4, using: &random) == 0
      guard try world.stepReRank(isDoubled: isDoubled) else {
        #expect(target == nil, "no step of a re-rank is left")
        return
      }
      // A row for each attempt that is read, and those of the step itself.
      #expect(world.driver.changeCount - before <= (isKept ? 11 : 6))
      let progress = try #require(try world.describe().reRank)
      #expect(progress.rankedCount <= ranked + (isKept ? 5 : 3))
      guard let wanted = target, progress.endDate != nil else { return }
      (definition, target) = (wanted, nil)
      endedCount += 1
    }

    private mutating func die() throws {
      try world.driver.restart()
      world.setReRankStep(entries: 3, attempts: 4)
      guard let target,
        target.sortOrder != definition.sortOrder || target.aggregation != definition.aggregation
      else { return }
      #expect(try world.describe().reRank?.rankedCount == 0, "it begins again")
    }

    private mutating func check(_ player: PlayerID) throws {
      #expect(try world.describe().definition == definition)
      attempts.definition = definition
      let now = world.driver.clock
      let ranking = isKept ? ranking(of: number) : model.ranking()
      #expect(try world.top() == page(ranking, player: PlayerID()))
      #expect(try world.rank(of: player).entry == ranking.first { $0.player == player })
      let value = Int64.random(in: -5...5, using: &random)
      let better = ranking.count { definition.sortOrder.isBetter($0.value, than: value) }
      #expect(try world.rank(of: value)[0] == UInt32(better))
      if recurs { try checkBefore() }
      guard definition.hasWindows else { return }
      for (period, length) in [(ScorePeriod.today, Int64(1)), (.week, 7)] {
        let wanted = attempts.ranking(nil, length: length * WindowTests.day, now: now)
        #expect(try world.top(in: period).entries == wanted)
      }
    }

    private func checkBefore() throws {
      for back in 1...2 where number >= Int64(back) {
        var old = models[number - Int64(back)] ?? RankingTests.Model()
        old.definition = definition
        let wanted = isKept ? ranking(of: number - Int64(back)) : old.ranking()
        #expect(try world.top(in: .back(UInt32(back))).entries == wanted)
      }
    }

    private func page(_ ranking: [LeaderboardEntry], player: PlayerID) -> ScorePage {
      var page = ScorePage()
      page.entries = ranking
      page.total = UInt32(ranking.count)
      return page
    }
  }

  @Test("4.6 re-ranks amid scores, removals and crashes agree with the models", arguments: 0..<14)
  func agrees(block: Int) throws {
    var endedCount = 0
    for seed in block * 15..<(block + 1) * 15 {
      var round = try Round(seed: seed)
      do {
        try round.run()
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
      endedCount += round.endedCount
    }
    #expect(endedCount > 15)
  }
}

extension RankingTests.Model {
  /// One entry of an older and a newer one, whose attempts may all have been 0.
  func merged(_ older: Entry, _ newer: Entry, _ isChanged: Bool) -> Entry {
    switch definition.aggregation {
    case .latest: return newer
    case .sum:
      var sum = isChanged ? newer : older
      sum.value = older.value + newer.value
      return sum
    default: return definition.sortOrder.isBetter(newer.value, than: older.value) ? newer : older
    }
  }
}
