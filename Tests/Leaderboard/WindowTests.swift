import Domain
import Operations
import Testing
import TestKit
import Wire

@testable import LeaderboardCore

/// Rolling windows, against a slow obvious model: all attempts, those outside left out, aggregated
/// per player, sorted, cut.
struct WindowTests {
  typealias P = Players
  static let day: Int64 = 24 * 3600 * 1000

  struct Model {
    struct Attempt {
      var player: PlayerID
      var value: Int64
      var tag: UInt64
      var date: Int64
      var number: Int
    }
    var definition: LeaderboardDefinition
    var attempts: [Attempt] = []

    func ranking(_ scope: Set<PlayerID>?, length: Int64, now: Int64) -> [LeaderboardEntry] {
      let inside = attempts.filter {
        $0.date > now - length && (scope?.contains($0.player) ?? true)
      }
      let order = definition.sortOrder
      let entries = Dictionary(grouping: inside, by: \.player).values.map {
        aggregate($0, isWindow: length < .max)
      }.sorted {
        $0.value == $1.value ? $0.number < $1.number : order.isBetter($0.value, than: $1.value)
      }
      return entries.enumerated().map { place, entry in
        var shown = LeaderboardEntry()
        let shared = (entries.firstIndex { $0.value == entry.value } ?? place) + 1
        shown.rank = UInt32(definition.tieRule == .sharedRank ? shared : place + 1)
        shown.player = entry.player
        shown.value = entry.value
        shown.scoreTag = entry.tag
        shown.date = entry.date
        return shown
      }
    }

    /// Of one player's attempts, at least one. Where all are 0, a window shows the last one, and a
    /// board the first.
    private func aggregate(_ attempts: [Attempt], isWindow: Bool) -> Attempt {
      let order = definition.sortOrder
      switch definition.aggregation {
      case .latest: return attempts[attempts.count - 1]
      case .sum:
        var last =
          attempts.last { $0.value != 0 } ?? attempts[isWindow ? attempts.count - 1 : 0]
        last.value = attempts.reduce(0) { $0 + $1.value }
        return last
      default:
        return attempts.dropFirst().reduce(attempts[0]) {
          order.isBetter($1.value, than: $0.value) ? $1 : $0
        }
      }
    }
  }

  @Test(
    "4.3 windows agree with all attempts filtered, aggregated and sorted",
    arguments: RankingTests.kinds)
  func agrees(kind: RankingTests.Kind) throws {
    var random = RandomSource.seeded(
      UInt64(RankingTests.kinds.firstIndex { "\($0)" == "\(kind)" } ?? 0) + 100)
    let world = World()
    var model = Model(definition: LeaderboardDefinition())
    try world.define {
      $0.sortOrder = kind.order
      $0.aggregation = kind.aggregation
      $0.tieRule = kind.tieRule
      $0.hasWindows = true
      model.definition = $0
    }
    world.setWindowStep(3)
    let players = (1...20).map { PlayerID.sample($0) }
    var hidden: [PlayerID: [Model.Attempt]] = [:]
    for step in 0..<400 {
      let player = players[Int.random(in: 0..<players.count, using: &random)]
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<8:
        let value = Int64.random(in: -4...4, using: &random)
        try world.submit(value, as: player, scoreTag: UInt64(step))
        model.attempts.append(
          .init(
            player: player, value: value, tag: UInt64(step), date: world.driver.clock,
            number: step))
      case 8:
        guard try world.rank(of: player).entry != nil else { break }
        try world.removeScore(of: player)
        model.attempts.removeAll { $0.player == player }
        hidden[player] = nil
      case 14: try restrict(player, world, &model, &hidden)
      case 9: world.driver.runTimers()
      case 10..<12: world.driver.clock += Int64.random(in: 1...Self.day / 2, using: &random)
      case 12:
        try world.driver.restart()
        world.setWindowStep(3)
      // The last millisecond of an attempt, or the first without it.
      case 13:
        let offset = Int64.random(in: -1...0, using: &random)
        world.driver.clock = edge(model, world.driver.clock, offset)
      default: try check(world, model, players, &random)
      }
    }
    for player in players where hidden[player] != nil {
      try restrict(player, world, &model, &hidden)
    }
    try check(world, model, players, &random)
    world.setWindowStep(ScoreWindows.slideMax)
    world.driver.clock += 8 * Self.day
    for _ in 0..<2 { world.driver.runTimers() }
    #expect(try world.top(in: .week).total == 0)
    #expect(world.rowCount(RecentAttemptRow.tableID) == 0)
  }

  /// Puts a player's attempts in quarantine, or releases them.
  private func restrict(
    _ player: PlayerID, _ world: World, _ model: inout Model,
    _ hidden: inout [PlayerID: [Model.Attempt]]
  ) throws {
    if let old = hidden.removeValue(forKey: player) {
      try world.restrict(player, .release)
      model.attempts = (model.attempts + old).sorted { $0.number < $1.number }
    } else if try world.rank(of: player).entry != nil {
      try world.restrict(player, .quarantine)
      hidden[player] = model.attempts.filter { $0.player == player }
      model.attempts.removeAll { $0.player == player }
    }
  }

  private func edge(_ model: Model, _ now: Int64, _ offset: Int64) -> Int64 {
    for attempt in model.attempts {
      for length in [Self.day, 7 * Self.day] where attempt.date + length + offset > now {
        return attempt.date + length + offset
      }
    }
    return now
  }

  private func check(
    _ world: World, _ model: Model, _ players: [PlayerID], _ random: inout RandomSource
  ) throws {
    let caller = players[Int.random(in: 0..<players.count, using: &random)]
    let friends = Array(players.shuffled(using: &random).prefix(6))
    for (period, length) in [(ScorePeriod.today, Self.day), (.week, 7 * Self.day)] {
      let now = world.driver.clock
      let all = model.ranking(nil, length: length, now: now)
      let top = try world.top(as: caller, in: period)
      #expect(top.entries == all && Int(top.total) == all.count)
      #expect(top.localEntry == all.first { $0.player == caller })
      let listed = try world.top(as: caller, players: friends, in: period)
      #expect(listed.entries == model.ranking(Set(friends), length: length, now: now))
      let circle = model.ranking(Set(friends + [caller]), length: length, now: now)
      let friendly = try world.friendScores(as: caller, friends: friends, in: period)
      #expect(friendly.entries == circle)
      let order = model.definition.sortOrder
      let own = circle.first { $0.player == caller }
      let lesser = circle.filter { entry in
        own.map { order.isBetter($0.value, than: entry.value) } ?? false
      }
      let shown = try world.lesser(as: caller, friends: friends, in: period)
      #expect(shown.entries == lesser && Int(shown.total) == lesser.count)
      for value: Int64 in [-5, 0, 3] {
        let counts = [
          all.count { order.isBetter($0.value, than: value) },
          all.count { $0.value == value },
          all.count { order.isBetter(value, than: $0.value) },
        ].map { UInt32($0) }
        #expect(try world.rank(of: value, in: period) == counts)
      }
    }
  }

  @Test("4.3 the time scope comes before the aggregate: what counts is the best of the window")
  func scopeFirst() throws {
    let world = World()
    try world.define { $0.hasWindows = true }
    try world.submit(9, as: P.ada)
    try world.submit(5, as: P.bob)
    world.driver.clock += Self.day
    try world.submit(3, as: P.ada)
    #expect(try world.top(in: .today).entries.map(\.value) == [3])
    #expect(try world.top(in: .week).entries.map(\.value) == [9, 5])
    world.driver.clock += 6 * Self.day - 1
    #expect(try world.top(in: .week).entries.map(\.value) == [9, 5])
    world.driver.clock += 1
    #expect(try world.top(in: .week).entries.map(\.value) == [3])
    #expect(try world.top(in: .today).total == 0)
    #expect(try world.top().entries.map(\.value) == [9, 5])
  }

  @Test("4.3 a query waits for a window that is far behind, in bounded steps")
  func catchesUp() throws {
    let world = World()
    try world.define { $0.hasWindows = true }
    let count = ScoreWindows.slideMax + 500
    for number in 0..<count { try world.submit(Int64(number), as: .sample(UInt64(number))) }
    world.driver.clock += Self.day
    var operation = TopScores()
    operation.board = "board"
    operation.period = .today
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .player, game: "game", player: P.ada, device: DeviceID())
    envelope.routingKey = RoutingKey(game: "game", name: "board")
    let request = Request(opcode: TopScores.opcode, envelope: envelope, body: operation.encoded)
    guard case .needs(let ranges) = world.driver.engine.apply(request, clock: world.driver.clock)
    else {
      Issue.record("the query did not wait")
      return
    }
    #expect(ranges.isEmpty)
    #expect(try ScorePage(decoding: world.driver.answer(request)).total == 0)
    #expect(try world.top(in: .week).total == UInt32(count))
    #expect(try world.top().total == UInt32(count))
  }

  @Test("4.6 a ban is a step, and its end looks through the windows in bounded steps")
  func banSteps() throws {
    let world = World()
    try world.define { $0.hasWindows = true }
    try world.submit(9, as: P.ada)
    for number in 0..<ScoreWindows.slideMax + 500 {
      try world.submit(1, as: .sample(UInt64(number % 50)))
    }
    let windows = try #require(world.driver.core.boards.all.first?.extras?.windows)
    try world.restrict(P.ada, .ban)
    #expect(!windows.rebuild.isUnderWay)
    try world.restrict(P.ada, .unban)
    world.driver.runTimers(atMost: 1)
    #expect(windows.rebuild.isUnderWay)
    #expect(try world.rank(of: P.ada).entry?.value == 9)
    // Scores that come meanwhile are in it, and a query waits for the rest.
    try world.submit(10, as: P.ada)
    #expect(windows.rebuild.isUnderWay)
    #expect(try world.top(1, 1, in: .week).entries.map(\.value) == [10])
    #expect(!windows.rebuild.isUnderWay)
    try world.restrict(P.ada, .quarantine)
    try world.restrict(P.ada, .release)
    #expect(windows.rebuild.isUnderWay)
    world.driver.runTimers()
    #expect(!windows.rebuild.isUnderWay)
    #expect(try world.rank(of: P.ada, in: .today).entry?.value == 10)
  }

  @Test("4.6 a query of a window is refused for a time while very many attempts are looked at")
  func longRebuild() throws {
    let world = World()
    try world.define { $0.hasWindows = true }
    for value in 1...20 as ClosedRange<Int64> { try world.submit(value, as: P.ada) }
    world.setWindowStep(3)
    let windows = try #require(world.driver.core.boards.all.first?.extras?.windows)
    windows.waitMax = 10
    try world.restrict(P.ada, .quarantine)
    #expect(try world.top(in: .week).total == 0)
    try world.restrict(P.ada, .release)
    do {
      _ = try world.top(in: .week)
      Issue.record("the query waited")
    } catch let failure as Failure {
      #expect(failure.code == .backpressure && failure.argument == "timeScope")
      #expect(failure.retryAfterMilliseconds > 0)
    }
    #expect(try world.rank(of: P.ada).entry?.value == 20)
    // Near the end it waits.
    while windows.rebuildLeft > 10 { world.driver.runTimers(atMost: 1) }
    #expect(windows.rebuild.isUnderWay)
    #expect(try world.top(in: .week).entries.map(\.value) == [20])
    #expect(!windows.rebuild.isUnderWay)
  }

  @Test("4.3 windows that were switched off come back only when nothing of before is in them")
  func switchedOff() throws {
    let world = World()
    try world.define { $0.hasWindows = true }
    try world.submit(5, as: P.ada)
    try world.define { $0.hasWindows = false }
    expectRefusal(.invalidArgument, "timeScope") { _ = try world.top(in: .week) }
    // This one is in no window: a week that has the one before and not this one would be wrong.
    try world.submit(9, as: P.ada)
    for _ in 0..<2 {
      expectRefusal(.conflict, "hasWindows") { try world.define { $0.hasWindows = true } }
      try world.driver.restart()
    }
    world.driver.clock += 7 * Self.day
    world.driver.runTimers()
    #expect(try world.define { $0.hasWindows = true } == .updated)
    try world.submit(3, as: P.ada)
    #expect(try world.top(in: .week).entries.map(\.value) == [3])
  }

  @Test("4.6 removing one attempt brings the ones that it beat back into the windows")
  func fallback() throws {
    let world = World()
    try world.define {
      $0.hasWindows = true
      $0.attempts = .forever
    }
    for value: Int64 in [3, 5, 9, 4] { try world.submit(value, as: P.ada) }
    for value: Int64? in [5, 4, 3, nil] {
      try world.removeScore(of: P.ada, fallsBack: true)
      #expect(try world.rank(of: P.ada, in: .today).entry?.value == value)
      #expect(try world.rank(of: P.ada).entry?.value == value)
      try world.driver.restart()
      #expect(try world.rank(of: P.ada, in: .week).entry?.value == value)
    }
  }
}
