import LeaderboardCore
import Operations
import Testing
import TestKit
import Wire

/// Issuing and answering score challenges.
struct ChallengeTests {
  typealias P = Players

  /// A board on which Ada has 10 points with context 5.
  private func world(_ change: (inout LeaderboardDefinition) -> Void = { _ in }) throws -> World {
    let world = World()
    try world.define("board", change)
    try world.submit(10, as: P.ada, scoreTag: 5)
    return world
  }

  private func issue(_ world: World, to receiver: PlayerID = P.bob) throws -> ChallengeID {
    let outcomes = try world.issue(to: [receiver], as: P.ada)
    return try #require(outcomes.first?.challenge)
  }

  @Test("6.1 6.9 one challenge per receiver, with all its fields")
  func issuing() throws {
    let world = try world()
    let outcomes = try world.issue(to: [P.bob, P.cleo, P.bob], as: P.ada, message: "now you")
    #expect(outcomes.map(\.receiver) == [P.bob, P.cleo])
    #expect(outcomes.allSatisfy { $0.refusal == .none && $0.challenge != nil })
    #expect(outcomes[0].challenge != outcomes[1].challenge)
    var expected = Challenge()
    expected.id = try #require(outcomes[0].challenge)
    expected.board = "board"
    expected.issuer = P.ada
    expected.receiver = P.bob
    expected.value = 10
    expected.scoreTag = 5
    expected.message = "now you"
    expected.issueDate = world.driver.clock
    // The board's first attempt was Ada's.
    expected.attempt = 1
    #expect(try world.received(by: P.bob) == [expected])
    #expect(try world.takeEvents(of: P.bob) == [.received(expected)])
    #expect(Set(try world.issued(by: P.ada).map(\.receiver)) == [P.bob, P.cleo])
    #expect(try world.takeEvents(of: P.ada) == [])
  }

  @Test("6.1 only a player's own call issues a challenge; scores and reports issue none")
  func onlyByPlayers() throws {
    let world = try world()
    try world.defineAchievement("first")
    try world.report([("first", 100)], as: P.ada)
    try world.submit(20, as: P.ada)
    for player in [P.ada, P.bob] {
      #expect(try world.received(by: player).isEmpty && world.issued(by: player).isEmpty)
    }
    var score = IssueScoreChallenge()
    score.board = "board"
    score.receivers = [P.bob]
    var earning = IssueAchievementChallenge()
    earning.receiver = P.bob
    earning.achievement = "first"
    let facts = try world.facts(of: P.ada, friends: [P.bob])
    for kind in [PrincipalKind.anonymous, .gameServer, .deploymentOperator, .service] {
      expectRefusal(.notAllowed) {
        try world.driver.call(score, as: P.ada, facts: facts, kind: kind)
      }
      expectRefusal(.notAllowed) {
        try world.driver.call(earning, as: P.ada, facts: facts, kind: kind)
      }
    }
    #expect(try world.received(by: P.bob).isEmpty)
  }

  @Test("6.2 a challenge asks for what the issuer had when it was issued, not for what comes later")
  func laterScore() throws {
    let world = try world()
    let id = try issue(world)
    try world.submit(20, as: P.ada)
    #expect(try world.received(by: P.bob).map(\.value) == [10])
    #expect(try world.submit(10, as: P.bob).completedChallenges == [id])
  }

  @Test("6.2 a worse score than the entry may be named, a better one is refused")
  func named() throws {
    for order in [ScoreOrder.highFirst, .lowFirst] {
      let sign: Int64 = order == .highFirst ? 1 : -1
      let world = World()
      try world.define { $0.sortOrder = order }
      try world.submit(100 * sign, as: P.ada, scoreTag: 5)
      expectRefusal(.notAllowed, "value") {
        _ = try world.issue(to: [P.bob], as: P.ada, value: 101 * sign)
      }
      #expect(try world.received(by: P.bob).isEmpty)
      _ = try world.issue(to: [P.bob], as: P.ada, value: 50 * sign, scoreTag: 7)
      _ = try world.issue(to: [P.cleo], as: P.ada, value: 100 * sign)
      let challenge = try #require(try world.received(by: P.bob).first)
      #expect(challenge.value == 50 * sign && challenge.scoreTag == 7)
      #expect(try world.received(by: P.cleo).map(\.scoreTag) == [0])
      #expect(try world.submit(49 * sign, as: P.bob).completedChallenges.isEmpty)
      #expect(try world.submit(50 * sign, as: P.bob).completedChallenges == [challenge.id])
      // It rests on the entry that vouches for it.
      _ = try world.issue(to: [P.dan], as: P.ada, value: 50 * sign)
      try world.removeScore(of: P.ada)
      #expect(try world.received(by: P.dan).isEmpty)
    }
  }

  @Test("6.2 a tag comes with a named score, or with the entry")
  func namedTag() throws {
    let world = try world()
    expectRefusal(.invalidArgument, "scoreTag") {
      _ = try world.issue(to: [P.bob], as: P.ada, scoreTag: 7)
    }
    _ = try world.issue(to: [P.bob], as: P.ada)
    #expect(try world.received(by: P.bob).map(\.scoreTag) == [5])
  }

  @Test("6.2 6.6 on a board of sums a named score is compared with the receiver's sum")
  func namedSum() throws {
    let world = World()
    try world.define { $0.aggregation = .sum }
    try world.submit(10, as: P.ada)
    try world.submit(5, as: P.bob)
    #expect(try world.issue(to: [P.bob], as: P.ada, value: 5).map(\.refusal) == [.alreadyMet])
    let issued = try world.issue(to: [P.bob], as: P.ada, value: 6)
    #expect(try world.submit(1, as: P.bob).completedChallenges == issued.map(\.challenge))
  }

  @Test("6.2 on a board of sums a challenge with an attempt asks for the entry, elsewhere for it")
  func attempt() throws {
    for aggregation in [ScoreAggregation.sum, .best] {
      let isSum = aggregation == .sum
      let world = World()
      try world.define { $0.aggregation = aggregation }
      try world.submit(100, as: P.ada, scoreTag: 1)
      try world.submit(50, as: P.ada, scoreTag: 2)
      _ = try world.issue(to: [P.bob], as: P.ada, value: 50, scoreTag: 2, isAttempt: true)
      let challenge = try #require(try world.received(by: P.bob).first)
      #expect(challenge.value == (isSum ? 150 : 50) && challenge.scoreTag == 2)
      // A sum that has fallen since may be less than an attempt.
      try world.submit(-120, as: P.ada, scoreTag: 3)
      _ = try world.issue(to: [P.cleo], as: P.ada, value: 50, scoreTag: 2, isAttempt: true)
      #expect(try world.received(by: P.cleo).map(\.value) == [isSum ? 30 : 50])
    }
  }

  @Test("6.2 whoever has no score cannot challenge with it")
  func noScore() throws {
    let world = try world()
    expectRefusal(.notFound, "value") { _ = try world.issue(to: [P.ada], as: P.bob) }
    expectRefusal(.notFound, "board") { _ = try world.issue(to: [P.bob], as: P.ada, on: "x") }
    expectRefusal(.requiredArgument, "receivers") { _ = try world.issue(to: [], as: P.ada) }
    expectRefusal(.invalidArgument, "receivers") {
      _ = try world.issue(to: (0..<51).map { PlayerID.sample($0) }, as: P.ada)
    }
    expectRefusal(.invalidArgument, "message") {
      _ = try world.issue(
        to: [P.bob], as: P.ada, message: String(repeating: "x", count: 501))
    }
  }

  @Test("6.3 oneself and non-friends get none, the others still get theirs")
  func refusals() throws {
    let world = try world()
    let outcomes = try world.issue(to: [P.ada, P.cleo, P.bob], as: P.ada, friends: [P.bob, P.ada])
    #expect(outcomes.map(\.refusal) == [.oneself, .notReachable, .none])
    #expect(outcomes.map { $0.challenge != nil } == [false, false, true])
    #expect(try world.received(by: P.bob).count == 1)
    #expect(try world.received(by: P.cleo).isEmpty)
    #expect(try world.takeEvents(of: P.cleo).isEmpty)
  }

  @Test("6.5 a change is told to both players' other devices, whatever changes it")
  func hints() throws {
    let world = try world()
    let id = try issue(world)
    #expect(try world.takeHints(of: P.bob) == [.pending])
    try world.accept(id, as: P.bob)
    #expect(try world.takeHints(of: P.ada) == [.accepted])
    try world.decline(id, as: P.bob)
    #expect(try world.takeHints(of: P.bob) == [.declined])
    _ = try issue(world)
    try world.submit(100, as: P.bob)
    #expect(try world.takeHints(of: P.ada) == [.pending, .completed])
    #expect(try world.takeHints(of: P.cleo).isEmpty)
  }

  @Test("2.9 6.3 a friend who blocks the issuer gets none, also before the issuer's list knows")
  func blocked() throws {
    let world = try world()
    let outcomes = try world.issue(to: [P.cleo, P.bob], as: P.ada, blocking: [P.cleo])
    #expect(outcomes.map(\.refusal) == [.notReachable, .none])
    #expect(try world.received(by: P.cleo).isEmpty && world.takeEvents(of: P.cleo).isEmpty)
  }

  @Test("6.3 a receiver's open challenges are bounded, from one issuer and in all")
  func bounds() throws {
    let world = try world()
    for _ in 0..<LeaderboardLimits.openChallengesPerPairMax { _ = try issue(world) }
    #expect(try world.issue(to: [P.bob], as: P.ada).map(\.refusal) == [.limitReached])
    for number in 0..<9 as Range<UInt64> {
      try world.submit(10, as: .sample(number))
      for _ in 0..<10 { _ = try world.issue(to: [P.bob], as: .sample(number)) }
    }
    try world.submit(10, as: P.cleo)
    let outcomes = try world.issue(to: [P.bob, P.dan], as: P.cleo)
    #expect(outcomes.map(\.refusal) == [.limitReached, .none])
    #expect(try world.received(by: P.bob).count == 100)
    #expect(try world.submit(11, as: P.bob).completedChallenges.count == 100)
    #expect(try world.received(by: P.bob).isEmpty)
    #expect(try world.issue(to: [P.bob], as: P.ada).map(\.refusal) == [.none])
  }

  @Test("6.5 accepted challenges stay on the receiver's list")
  func accepting() throws {
    let world = try world()
    let id = try issue(world)
    for _ in 0..<2 {
      try world.accept(id, as: P.bob)
      try world.settle()
      try world.driver.restart()
    }
    #expect(try world.received(by: P.bob).map(\.state) == [.accepted])
    #expect(try world.issued(by: P.ada).map(\.state) == [.accepted])
    expectRefusal(.notFound, "challenge") { try world.accept(id, as: P.ada) }
    expectRefusal(.notFound, "challenge") { try world.decline(id, as: P.cleo) }
  }

  @Test("6.5 decline only from pending or accepted; the issuer is told", arguments: [true, false])
  func declining(accepts: Bool) throws {
    let world = try world()
    let id = try issue(world)
    if accepts { try world.accept(id, as: P.bob) }
    try world.decline(id, as: P.bob)
    #expect(try world.received(by: P.bob).isEmpty)
    let issued = try world.issued(by: P.ada)
    #expect(issued.map(\.state) == [.declined])
    #expect(try world.takeEvents(of: P.ada) == [.declined(issued[0])])
    expectRefusal(.notFound, "challenge") { try world.decline(id, as: P.bob) }
    expectRefusal(.notFound, "challenge") { try world.accept(id, as: P.bob) }
    #expect(try world.submit(50, as: P.bob).completedChallenges == [])
    let done = try issue(world, to: P.cleo)
    try world.submit(50, as: P.cleo)
    expectRefusal(.notFound, "challenge") { try world.decline(done, as: P.cleo) }
  }

  @Test("6.5 every event in every state")
  func states() {
    let open: [ChallengeState] = [.pending, .accepted]
    let ends: [ChallengeState] = [
      .completed, .declined, .expired, .withdrawn, ChallengeState(rawValue: 99),
    ]
    let results: [(ChallengeEvent, ChallengeState)] = [
      (.accept, .accepted), (.decline, .declined), (.complete, .completed), (.expire, .expired),
      (.withdraw, .withdrawn),
    ]
    #expect(Set(results.map(\.0)) == Set(ChallengeEvent.allCases))
    for (event, result) in results {
      for state in open { #expect(state.isOpen && state.after(event) == result) }
      for state in ends { #expect(!state.isOpen && state.after(event) == nil) }
    }
  }

  @Test("6.5 lists are paged, newest first, and pages survive a restart")
  func pages() throws {
    let world = try world()
    var ids: [ChallengeID] = []
    for number in 0..<25 as Range<UInt64> {
      if number % 3 == 0 { world.driver.clock += 1 }
      ids.append(try issue(world, to: .sample(number)))
    }
    let whole = try world.issued(by: P.ada)
    #expect(Set(whole.map(\.id)) == Set(ids))
    #expect(whole.map(\.issueDate) == whole.map(\.issueDate).sorted(by: >))
    try world.driver.restart()
    for limit: UInt32 in [1, 7, 25, 100] {
      #expect(try world.issued(by: P.ada, limit: limit) == whole)
    }
    for limit: UInt32 in [0, 101] {
      expectRefusal(.invalidArgument, "limit") { _ = try world.issued(by: P.ada, limit: limit) }
    }
    for cursor in ["x", "1.2", "1.", "."] {
      var operation = ReceivedChallenges()
      operation.cursor = cursor
      expectRefusal(.invalidArgument, "cursor") { try world.driver.call(operation, as: P.ada) }
    }
  }

  @Test("6.5 the issuer's list keeps the newest ended challenges")
  func endedKept() throws {
    let world = try world()
    let open = try issue(world, to: P.cleo)
    for number in 0..<110 as Range<UInt64> {
      world.driver.clock += 1
      _ = try issue(world, to: .sample(number))
      try world.submit(10, as: .sample(number))
    }
    let issued = try world.issued(by: P.ada)
    #expect(issued.count == LeaderboardLimits.endedChallengesKeptMax + 1)
    #expect(issued.last?.id == open)
    #expect(issued.first?.receiver == .sample(109))
    try world.driver.restart()
    #expect(try world.issued(by: P.ada) == issued)
  }

  @Test("6.5 of the ended challenges those leave the issuer's list that ended first")
  func endedFirst() throws {
    let world = try world()
    let oldest = try issue(world, to: P.cleo)
    for number in 0..<100 as Range<UInt64> {
      world.driver.clock += 1
      _ = try issue(world, to: .sample(number))
      try world.submit(10, as: .sample(number))
    }
    for restarts in [false, true] {
      if restarts {
        try world.driver.restart()
        _ = try issue(world, to: P.dan)
      }
      world.driver.clock += 1
      try world.submit(10, as: restarts ? P.dan : P.cleo)
      let issued = try world.issued(by: P.ada)
      #expect(issued.count == LeaderboardLimits.endedChallengesKeptMax)
      #expect(issued.last?.id == oldest)
      #expect(!issued.contains { $0.receiver == .sample(restarts ? 1 : 0) })
    }
  }

  @Test("6.5 a challenge that opened again has not ended, and ends anew", arguments: [false, true])
  func endedAnew(restarts: Bool) throws {
    let world = try world()
    let id = try issue(world, to: P.cleo)
    try world.submit(10, as: P.cleo)
    try world.settle()
    try world.removeScore(of: P.cleo)
    try world.settle()
    if restarts { try world.driver.restart() }
    for number in 0..<100 as Range<UInt64> {
      world.driver.clock += 1
      _ = try issue(world, to: .sample(number))
      try world.submit(10, as: .sample(number))
    }
    #expect(try world.issued(by: P.ada).count == LeaderboardLimits.endedChallengesKeptMax + 1)
    world.driver.clock += 1
    try world.decline(id, as: P.cleo)
    let issued = try world.issued(by: P.ada)
    #expect(issued.count == LeaderboardLimits.endedChallengesKeptMax)
    #expect(issued.last?.id == id && issued.last?.state == .declined)
    #expect(!issued.contains { $0.receiver == .sample(0) })
  }

  @Test("6.5 a list takes only changes of its own player's challenges")
  func foreignChange() throws {
    let world = World()
    var challenge = Challenge()
    challenge.issuer = P.ada
    challenge.receiver = P.bob
    let operation = ChallengeChanged(challenge, for: P.cleo)
    expectRefusal(.notAllowed) { try world.driver.call(operation, as: P.cleo) }
    expectRefusal(.invalidArgument, "player") {
      try world.driver.call(operation, as: P.cleo, kind: .service)
    }
  }
}
