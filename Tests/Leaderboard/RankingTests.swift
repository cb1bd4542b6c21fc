import Domain
import LeaderboardCore
import Operations
import Testing
import TestKit
import Wire

/// What queries show, against a slow obvious model: a list of entries that is sorted anew each
/// time.
struct RankingTests {
  struct Model {
    struct Entry {
      var player: PlayerID
      var value: Int64
      var tag: UInt64
      var date: Int64
      var arrival: Int
    }

    var definition = LeaderboardDefinition()
    var entries: [PlayerID: Entry] = [:]
    var arrivals = 0

    mutating func submit(_ value: Int64, _ tag: UInt64, _ player: PlayerID, _ now: Int64) {
      let old = entries[player]
      var next = Entry(player: player, value: value, tag: tag, date: now, arrival: 0)
      if let old {
        switch definition.aggregation {
        case .latest: break
        case .sum:
          if value == 0 { return }
          next.value += old.value
        default:
          let isBetter =
            definition.sortOrder == .highFirst ? value > old.value : value < old.value
          if !isBetter { return }
        }
      }
      arrivals += 1
      next.arrival = arrivals
      entries[player] = next
    }

    /// The ranking of those in the scope, nil meaning all.
    func ranking(_ scope: Set<PlayerID>? = nil) -> [LeaderboardEntry] {
      let sorted = entries.values.filter { scope?.contains($0.player) ?? true }.sorted {
        if $0.value != $1.value {
          return definition.sortOrder == .highFirst ? $0.value > $1.value : $0.value < $1.value
        }
        return $0.date != $1.date ? $0.date < $1.date : $0.arrival < $1.arrival
      }
      return sorted.enumerated().map { place, entry in
        var shown = LeaderboardEntry()
        let shared = (sorted.firstIndex { $0.value == entry.value } ?? place) + 1
        shown.rank = UInt32(definition.tieRule == .sharedRank ? shared : place + 1)
        shown.player = entry.player
        shown.value = entry.value
        shown.scoreTag = entry.tag
        shown.date = entry.date
        return shown
      }
    }
  }

  struct Kind: CustomStringConvertible {
    var order: ScoreOrder
    var aggregation: ScoreAggregation
    var tieRule: ScoreTieRule
    var description: String { "\(order) \(aggregation) \(tieRule)" }
  }

  static let kinds: [Kind] = [ScoreOrder.highFirst, .lowFirst].flatMap { order in
    [ScoreAggregation.best, .latest, .sum].flatMap { aggregation in
      [ScoreTieRule.earliestFirst, .sharedRank].map {
        Kind(order: order, aggregation: aggregation, tieRule: $0)
      }
    }
  }

  @Test("4.3 4.4 every query agrees with a sorted list", arguments: kinds)
  func agreesWithModel(kind: Kind) throws {
    var random = RandomSource.seeded(UInt64(Self.kinds.firstIndex { "\($0)" == "\(kind)" } ?? 0))
    let world = World()
    var model = Model()
    try world.define { definition in
      definition.sortOrder = kind.order
      definition.aggregation = kind.aggregation
      definition.tieRule = kind.tieRule
      model.definition = definition
    }
    let players = (1...150).map { PlayerID.sample($0) }
    for step in 0..<600 {
      let player = players[Int.random(in: 0..<players.count, using: &random)]
      let value = Int64.random(in: -6...6, using: &random)
      let tag = random.next()
      if Int.random(in: 0..<3, using: &random) == 0 { world.driver.clock += 1 }
      if Int.random(in: 0..<12, using: &random) == 0, model.entries[player] != nil {
        try world.removeScore(of: player)
        model.entries[player] = nil
      } else {
        model.submit(value, tag, player, world.driver.clock)
        let reply = try world.submit(value, as: player, scoreTag: tag)
        #expect(reply.entry == model.ranking().first { $0.player == player })
        #expect(reply.total == UInt32(model.entries.count))
      }
      if step % 150 == 149 { try world.driver.restart() }
      if step % 10 == 0 { try check(world, model, players, &random) }
    }
  }

  private func check(
    _ world: World, _ model: Model, _ players: [PlayerID], _ random: inout RandomSource
  ) throws {
    let ranking = model.ranking()
    let caller = players[Int.random(in: 0..<players.count, using: &random)]
    let start = Int.random(in: 1...ranking.count + 2, using: &random)
    let count = Int.random(in: 1...100, using: &random)
    let own = ranking.first { $0.player == caller }

    let top = try world.top(UInt32(start), UInt32(count), as: caller)
    #expect(top.entries == Array(ranking.dropFirst(start - 1).prefix(count)))
    #expect(top.localEntry == own)
    #expect(top.total == UInt32(ranking.count))

    let scope = Set(players.shuffled(using: &random).prefix(30))
    let scoped = model.ranking(scope)
    let listed = try world.top(
      UInt32(start), UInt32(count), as: caller, players: Array(scope) + scope.prefix(3))
    #expect(listed.entries == Array(scoped.dropFirst(start - 1).prefix(count)))
    #expect(listed.total == UInt32(scoped.count))
    let friendly = model.ranking(scope.union([caller]))
    let friends = try world.friendScores(as: caller, friends: Array(scope))
    #expect(friends.entries == friendly)
    #expect(friends.localEntry == friendly.first { $0.player == caller })
    #expect(friends.total == UInt32(friendly.count))
    #expect(listed.localEntry == friends.localEntry)

    let around = try world.around(nil, UInt32(count), as: caller)
    #expect(around.localEntry == own)
    #expect(around.total == UInt32(ranking.count))
    if let place = ranking.firstIndex(where: { $0.player == caller }) {
      let first = max(0, min(place - (count - 1) / 2, ranking.count - count))
      #expect(around.entries == Array(ranking.dropFirst(first).prefix(count)))
      #expect(around.entries.contains { $0.player == caller })
    } else {
      #expect(around.entries.isEmpty)
    }
    let rank = try world.rank(of: caller)
    #expect(rank.entry == own && rank.total == UInt32(ranking.count))
  }
}

/// What queries take and refuse.
struct RangeTests {
  typealias P = Players

  @Test("4.3 an answer has the caller's own entry, or nil, and the total, whatever its range")
  func ownEntry() throws {
    let world = World()
    try world.define()
    for (player, value) in [(P.ada, 3), (P.bob, 2), (P.cleo, 1)] as [(PlayerID, Int64)] {
      try world.submit(value, as: player)
    }
    for page in [
      try world.top(1, 1, as: P.cleo), try world.top(9, 1, as: P.cleo),
      try world.friendScores(1, 1, as: P.cleo, friends: [P.ada, P.bob]),
      try world.around(P.ada, 1, as: P.cleo),
    ] {
      #expect(page.localEntry?.player == P.cleo && page.localEntry?.rank == 3 && page.total == 3)
    }
    // In a scope of others the rank is the one that the caller would have.
    let others = try world.top(as: P.cleo, players: [P.bob])
    #expect(others.localEntry?.rank == 2 && others.total == 1)
    // Friends only includes the caller.
    #expect(
      try world.friendScores(as: P.cleo, friends: [P.bob]).entries.map(\.player) == [P.bob, P.cleo])
    for page in [try world.top(as: P.dan), try world.friendScores(as: P.dan, friends: [P.ada])] {
      #expect(page.localEntry == nil && page.total == UInt32(page.entries.count))
    }
  }

  @Test("4.4 no cap on how many are ranked: the last of thousands has an exact rank")
  func noCap() throws {
    let world = World()
    try world.define()
    let count = 5000
    for number in 1...count { try world.submit(Int64(-number), as: .sample(UInt64(number))) }
    for number in [1, 100, 101, 2500, count] {
      let player = PlayerID.sample(UInt64(number))
      #expect(try world.rank(of: player).entry?.rank == UInt32(number))
      let around = try world.around(nil, 3, as: player).entries.map(\.rank)
      let first = min(max(1, number - 1), count - 2)
      #expect(around == [first, first + 1, first + 2].map { UInt32($0) })
    }
    #expect(try world.rank(of: .sample(UInt64(count))).percentile == 0)
    #expect(try world.top(UInt32(count), 100).entries.map(\.rank) == [UInt32(count)])
  }

  @Test("4.3 a range starts at 1 and has 1 to 100 entries")
  func ranges() throws {
    let world = World()
    try world.define()
    expectRefusal(.invalidArgument, "start") { _ = try world.top(0, 10) }
    expectRefusal(.invalidArgument, "start") {
      _ = try world.friendScores(0, 10, as: P.ada, friends: [])
    }
    for count: UInt32 in [0, 101, .max] {
      expectRefusal(.invalidArgument, "count") { _ = try world.top(1, count) }
      expectRefusal(.invalidArgument, "count") { _ = try world.around(nil, count, as: P.ada) }
      expectRefusal(.invalidArgument, "count") {
        _ = try world.friendScores(1, count, as: P.ada, friends: [])
      }
    }
    #expect(try world.top(.max, 100) == ScorePage())
    #expect(try world.friendScores(.max, 100, as: P.ada, friends: []) == ScorePage())
  }

  @Test("4.3 a list of players goes with its scope")
  func scopes() throws {
    let world = World()
    try world.define()
    expectRefusal(.requiredArgument, "players") { _ = try world.top(players: []) }
    expectRefusal(.invalidArgument, "players") {
      _ = try world.top(players: (0...500).map { PlayerID.sample($0) })
    }
    var operation = TopScores()
    operation.board = "board"
    operation.players = [P.ada]
    expectRefusal(.invalidArgument, "players") { try world.driver.call(operation, as: P.ada) }
    operation.scope = ScoreScope(rawValue: 7)
    expectRefusal(.invalidArgument, "scope") { try world.driver.call(operation, as: P.ada) }
  }

  @Test("4.3 every query names a board that it does not find")
  func unknownBoard() throws {
    let world = World()
    try world.define()
    expectRefusal(.notFound, "board") { _ = try world.top(of: "x") }
    expectRefusal(.notFound, "board") { _ = try world.rank(of: P.ada, on: "x") }
    expectRefusal(.notFound, "board") { _ = try world.around(nil, 1, as: P.ada, of: "x") }
    expectRefusal(.notFound, "board") {
      _ = try world.friendScores(as: P.ada, friends: [], of: "x")
    }
    expectRefusal(.requiredArgument, "board") { _ = try world.top(of: "") }
  }

  @Test("4.4 a caller that is no player must name one")
  func noPlayer() throws {
    let world = World()
    try world.define()
    try world.submit(1, as: P.ada)
    expectRefusal(.requiredArgument, "player") {
      _ = try world.around(nil, 5, as: PlayerID(), kind: .gameServer)
    }
    let page = try world.around(P.ada, 5, as: PlayerID(), kind: .gameServer)
    #expect(page.entries.map(\.player) == [P.ada] && page.localEntry == nil)
  }
}
