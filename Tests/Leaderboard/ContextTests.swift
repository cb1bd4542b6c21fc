import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// Boards and gaming contexts: the scope of a context's players, and boards that are linked to one.
struct ContextTests {
  typealias P = Players

  private let context = ContextID.sample(7)

  private func query(
    _ change: (inout TopScores) -> Void = { _ in }
  ) -> TopScores {
    var operation = TopScores()
    operation.board = "board"
    operation.scope = .context
    operation.context = context
    change(&operation)
    return operation
  }

  /// What the board asks the gateway for; nil when it asks for nothing.
  private func demand(_ call: () throws -> Void) throws -> ContextID? {
    do {
      try call()
      return nil
    } catch let failure as Failure where failure.code == .factRequired {
      let demand = try FactDemand(decoding: failure.detail.array)
      #expect(demand.opcode == FetchParticipants.opcode.rawValue)
      #expect(demand.operation != nil, "the gateway has not kept the call")
      return ContextID(reinterpreting: demand.key)
    }
  }

  // MARK: Scope

  private func world() throws -> World {
    let world = World()
    try world.define()
    for (player, value) in [(P.ada, 10), (P.bob, 40), (P.cleo, 30), (P.dan, 20)] {
      try world.submit(Int64(value), as: player)
    }
    return world
  }

  @Test("4.3 a query of a context's players ranks them, the caller and their number")
  func scope() throws {
    let world = try world()
    let facts = world.facts(of: context, [P.ada, P.dan, P.bob, .sample(1)])
    let page = try world.driver.call(query { $0.count = 2 }, as: P.ada, facts: facts)
    #expect(page.entries.map(\.player) == [P.bob, P.dan])
    #expect(page.entries.map(\.rank) == [1, 2])
    #expect(page.localEntry?.rank == 3 && page.localEntry?.player == P.ada)
    #expect(page.total == 3)
    let rest = try world.driver.call(query { $0.start = 3 }, as: P.ada, facts: facts)
    #expect(rest.entries == [page.localEntry])
  }

  @Test("4.3 the board asks for a context's players; others than those asked for will not do")
  func demands() throws {
    let world = try world()
    #expect(try demand { try world.driver.call(query(), as: P.ada) } == context)
    let others = world.facts(of: .sample(8), [P.ada, P.bob])
    #expect(try demand { try world.driver.call(query(), as: P.ada, facts: others) } == context)
    expectRefusal(.notFound, "context") {
      try world.driver.call(
        query(), as: P.ada, facts: world.facts(of: context, [P.bob, P.cleo]))
    }
  }

  @Test("4.3 a context is named for its scope and for no other, by players")
  func arguments() throws {
    let world = try world()
    func expect(
      _ code: FailureCode, _ argument: String, kind: PrincipalKind = .player,
      _ change: (inout TopScores) -> Void
    ) {
      let facts = world.facts(of: context, [P.ada])
      expectRefusal(code, argument) {
        try world.driver.call(query(change), as: P.ada, facts: facts, kind: kind)
      }
    }
    expect(.requiredArgument, "context") { $0.context = nil }
    expect(.requiredArgument, "context") { $0.context = ContextID() }
    expect(.invalidArgument, "context") { $0.scope = .global }
    expect(.invalidArgument, "context") { ($0.scope, $0.players) = (.players, [P.ada]) }
    expect(.invalidArgument, "players") { $0.players = [P.ada] }
    expect(.invalidArgument, "scope") { $0.scope = ScoreScope(rawValue: 3) }
    expect(.invalidArgument, "count") { $0.count = 101 }
    expect(.notFound, "board") { $0.board = "unknown" }
    expect(.notAllowed, "scope", kind: .gameServer) { _ in }
    expect(.notAllowed, "scope", kind: .deploymentOperator) { _ in }
  }

  @Test("4.3 a scope has at most 500 players, also a context's")
  func size() throws {
    let world = try world()
    var players = [P.ada] + (1..<500).map { PlayerID.sample($0) }
    let page = try world.driver.call(
      query(), as: P.ada, facts: world.facts(of: context, players))
    #expect(page.total == 1)
    players.append(.sample(500))
    expectRefusal(.limitReached, "context") {
      try world.driver.call(query(), as: P.ada, facts: world.facts(of: context, players))
    }
  }

  // MARK: Linked boards

  private func linkedWorld() throws -> World {
    let world = World()
    try world.define { $0.linkedContext = context }
    return world
  }

  private func submit(_ value: Int64, as player: PlayerID, _ world: World, _ facts: Facts) throws {
    var operation = SubmitScore()
    operation.board = "board"
    operation.value = value
    try world.driver.call(operation, as: player, facts: facts)
  }

  @Test("4.2 a linked board asks who is in its context, for whatever a player does on it")
  func linkedDemands() throws {
    let world = try linkedWorld()
    var (friends, lesser, rank) = (FriendScores(), LesserScores(), RankOfPlayer())
    (friends.board, lesser.board, rank.board) = ("board", "board", "board")
    var (value, around, show) = (RankOfValue(), ScoresAroundPlayer(), DescribeLeaderboard())
    (value.board, value.value, around.board, show.board) = ("board", 5, "board", "board")
    var issue = IssueScoreChallenge()
    (issue.board, issue.receivers) = ("board", [P.bob])
    #expect(try demand { try submit(5, as: P.ada, world, Facts()) } == context)
    #expect(try demand { _ = try world.top(as: P.ada) } == context)
    #expect(try demand { try world.driver.call(friends, as: P.ada) } == context)
    #expect(try demand { try world.driver.call(lesser, as: P.ada) } == context)
    #expect(try demand { try world.driver.call(rank, as: P.ada) } == context)
    #expect(try demand { try world.driver.call(value, as: P.ada) } == context)
    #expect(try demand { try world.driver.call(around, as: P.ada) } == context)
    #expect(try demand { try world.driver.call(show, as: P.ada) } == context)
    #expect(try demand { try world.driver.call(issue, as: P.ada) } == context)
    #expect(try demand { _ = try world.startRun(as: P.ada) } == context)
  }

  @Test("4.2 only the players of its context submit to a linked board and see it")
  func linked() throws {
    let world = try linkedWorld()
    let both = world.facts(of: context, [P.ada, P.bob])
    try submit(5, as: P.ada, world, both)
    try submit(9, as: P.bob, world, both)
    let page = try world.driver.call(query(), as: P.ada, facts: both)
    #expect(page.entries.map(\.player) == [P.bob, P.ada] && page.total == 2)
    expectRefusal(.notFound, "context") { try submit(50, as: P.cleo, world, both) }
    expectRefusal(.notFound, "context") {
      try world.driver.call(query(), as: P.cleo, facts: both)
    }
    expectRefusal(.invalidArgument, "context") {
      try world.driver.call(query { $0.context = .sample(8) }, as: P.ada, facts: both)
    }
    // Who has left is out, and what it did on the board stays.
    let left = world.facts(of: context, [P.bob])
    expectRefusal(.notFound, "context") { try submit(50, as: P.ada, world, left) }
    let all = query { ($0.scope, $0.context) = (.global, nil) }
    #expect(try world.driver.call(all, as: P.bob, facts: left).total == 2)
    #expect(try world.driver.call(query(), as: P.bob, facts: left).total == 1)
  }

  @Test("4.2 the game's own server and operators need not be in a linked board's context")
  func linkedOwners() throws {
    let world = try linkedWorld()
    var submit = SubmitScore()
    (submit.board, submit.value, submit.player) = ("board", 3, P.cleo)
    let facts = Facts([World.isReachable(P.cleo)])
    try world.driver.call(submit, as: PlayerID(), facts: facts, kind: .gameServer)
    let all = query { ($0.scope, $0.context) = (.global, nil) }
    #expect(try world.driver.call(all, as: PlayerID(), kind: .deploymentOperator).total == 1)
    try world.removeScore(of: P.cleo)
  }

  @Test("4.2 6.3 on a linked board only its context's players can be challenged")
  func linkedChallenges() throws {
    let world = try linkedWorld()
    let facts = world.facts(of: context, [P.ada, P.bob], friends: [P.bob, P.cleo])
    try submit(5, as: P.ada, world, facts)
    var issue = IssueScoreChallenge()
    (issue.board, issue.receivers) = ("board", [P.bob, P.cleo])
    let outcomes = try world.driver.call(issue, as: P.ada, facts: facts).outcomes
    #expect(outcomes.map(\.refusal) == [.none, .notReachable])
    try submit(6, as: P.bob, world, facts)
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed])
  }

  @Test(
    "4.6 6.5 leaving a linked board's context ends no challenge, met and open again or never met")
  func leftChallenges() throws {
    let world = try linkedWorld()
    let facts = world.facts(of: context, [P.ada, P.bob], friends: [P.bob])
    try submit(5, as: P.ada, world, facts)
    var issue = IssueScoreChallenge()
    (issue.board, issue.receivers) = ("board", [P.bob])
    try world.driver.call(issue, as: P.ada, facts: facts)
    try submit(6, as: P.bob, world, facts)
    try submit(7, as: P.ada, world, facts)
    try world.driver.call(issue, as: P.ada, facts: facts)
    // Bob leaves; what he did on the board stays, until it is removed.
    let left = world.facts(of: context, [P.ada])
    expectRefusal(.notFound, "context") { try submit(9, as: P.bob, world, left) }
    #expect(try world.received(by: P.bob).map(\.value) == [7])
    try world.removeScore(of: P.bob)
    #expect(try world.received(by: P.bob).map(\.value) == [7, 5])
    // He can decline them, and meet them when he is back.
    try world.decline(try world.received(by: P.bob)[0].id, as: P.bob)
    try submit(9, as: P.bob, world, facts)
    #expect(try world.issued(by: P.ada).map(\.state) == [.declined, .completed])
  }

  /// What the context was told since the last look.
  private func links(_ world: World) throws -> [LinkBoard] {
    try world.driver.takeEffects(LinkBoard.self).map { effect in
      #expect(effect.key == RoutingKey(reinterpreting: effect.operation.context))
      return effect.operation
    }
  }

  @Test("1.3 1.8 a context is told which boards are linked to it, and how many challenges are open")
  func toldContext() throws {
    let world = try linkedWorld()
    let first = try links(world)
    #expect(first.map(\.context) == [context] && first.map(\.board) == ["board"])
    #expect(first.map(\.isLinked) == [true] && first.map(\.openChallenges) == [0])
    let facts = world.facts(of: context, [P.ada, P.bob, P.dan], friends: [P.bob, P.dan])
    try submit(5, as: P.ada, world, facts)
    #expect(try links(world).isEmpty, "a score says nothing of it")
    var issue = IssueScoreChallenge()
    (issue.board, issue.receivers) = ("board", [P.bob, P.dan])
    try world.driver.call(issue, as: P.ada, facts: facts)
    #expect(try links(world).map(\.openChallenges) == [2], "one call tells it once")
    try world.driver.restart()
    try submit(6, as: P.bob, world, facts)
    let after = try links(world)
    #expect(after.map(\.openChallenges) == [1])
    #expect(after[0].version >= first[0].version)
    try world.decline(try world.received(by: P.dan)[0].id, as: P.dan)
    #expect(try links(world).map(\.openChallenges) == [0])
  }

  @Test("1.3 6.6 a score that meets many challenges tells the board's context once")
  func toldOnce() throws {
    let world = try linkedWorld()
    let facts = world.facts(of: context, [P.ada, P.bob], friends: [P.bob])
    var issue = IssueScoreChallenge()
    (issue.board, issue.receivers) = ("board", [P.bob])
    for value in [5, 6, 7] as [Int64] {
      try submit(value, as: P.ada, world, facts)
      try world.driver.call(issue, as: P.ada, facts: facts)
    }
    _ = try links(world)
    try submit(6, as: P.bob, world, facts)
    #expect(try links(world).map(\.openChallenges) == [1])
    try world.removeScore(of: P.bob)
    #expect(try world.received(by: P.bob).count == 3)
    #expect(try links(world).map(\.openChallenges) == [3], "and so does the removal")
  }

  @Test("1.8 a board that is linked elsewhere is told to both contexts, one that is not to none")
  func toldChange() throws {
    let world = try linkedWorld()
    _ = try links(world)
    try world.define { $0.linkedContext = .sample(8) }
    let moved = try links(world)
    #expect(moved.map(\.context) == [context, .sample(8)])
    #expect(moved.map(\.isLinked) == [false, true])
    try world.define { ($0.linkedContext, $0.title) = (.sample(8), "Another") }
    try world.define("other")
    #expect(try links(world).isEmpty)
  }

  @Test("4.2 on a linked board an answer to a challenge waits for a fact, as a score does")
  func linkedAnswers() throws {
    let world = try linkedWorld()
    for accepts in [true, false] {
      do {
        if accepts {
          try world.accept(.sample(1), as: P.bob, facts: Facts())
        } else {
          try world.decline(.sample(1), as: P.bob, facts: Facts())
        }
        Issue.record("the answer did not wait")
      } catch let failure as Failure {
        #expect(failure.code == .factRequired)
        let demand = try FactDemand(decoding: failure.detail.array)
        #expect(demand.opcode == FetchPlayer.opcode.rawValue)
        #expect(PlayerID(reinterpreting: demand.key) == P.bob && demand.operation != nil)
      }
    }
    try world.define("other")
    expectRefusal(.notFound, "challenge") {
      try world.decline(.sample(1), as: P.bob, on: "other", facts: Facts())
    }
  }

  @Test("4.2 a board's link changes only while nobody is ranked on it, and outlives a restart")
  func link() throws {
    let world = try linkedWorld()
    expectRefusal(.invalidArgument, "linkedContext") {
      try world.define { $0.linkedContext = ContextID() }
    }
    #expect(try world.define { $0.linkedContext = .sample(8) } == .updated)
    #expect(try world.define { $0.linkedContext = context } == .updated)
    try submit(5, as: P.ada, world, world.facts(of: context, [P.ada]))
    expectRefusal(.conflict, "linkedContext") { try world.define() }
    expectRefusal(.conflict, "linkedContext") {
      try world.define { $0.linkedContext = .sample(8) }
    }
    try world.driver.restart()
    #expect(try demand { try submit(6, as: P.ada, world, Facts()) } == context)
  }
}
