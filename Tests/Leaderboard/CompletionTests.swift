import LeaderboardCore
import Operations
import Testing
import TestKit
import Wire

/// Meeting score challenges.
struct CompletionTests {
  typealias P = Players

  private func world(
    target: Int64 = 10, _ change: (inout LeaderboardDefinition) -> Void = { _ in }
  ) throws -> (world: World, id: ChallengeID) {
    let world = World()
    try world.define("board", change)
    try world.submit(target, as: P.ada)
    let id = try #require(try world.issue(to: [P.bob], as: P.ada).first?.challenge)
    _ = try world.takeEvents(of: P.bob)
    return (world, id)
  }

  @Test("6.6 equal or better completes, in both orders")
  func equalOrBetter() throws {
    let cases: [(ScoreOrder, Int64, Bool)] = [
      (.highFirst, 9, false), (.highFirst, 10, true), (.highFirst, 11, true),
      (.lowFirst, 11, false), (.lowFirst, 10, true), (.lowFirst, 9, true),
    ]
    for (order, value, isMet) in cases {
      let (world, id) = try world { $0.sortOrder = order }
      let reply = try world.submit(value, as: P.bob)
      #expect(reply.completedChallenges == (isMet ? [id] : []), "\(order) \(value)")
      #expect(try world.received(by: P.bob).isEmpty == isMet)
    }
  }

  @Test("6.6 both players are told once, locally and remotely")
  func bothTold() throws {
    let (world, id) = try world()
    world.driver.clock += 9
    try world.submit(12, as: P.bob, scoreTag: 3)
    let issued = try world.issued(by: P.ada)
    #expect(issued.map(\.id) == [id])
    #expect(issued[0].state == .completed && issued[0].completionDate == world.driver.clock)
    var event = ChallengeCompleted()
    event.challenge = issued[0]
    event.value = 12
    event.scoreTag = 3
    #expect(try world.takeEvents(of: P.ada) == [.completed(event)])
    event.isLocal = true
    #expect(try world.takeEvents(of: P.bob) == [.completed(event)])
    try world.submit(13, as: P.bob)
    #expect(try world.takeEvents(of: P.ada) + world.takeEvents(of: P.bob) == [])
  }

  @Test("6.6 only attempts after the issue date count")
  func laterAttempts() throws {
    let world = World()
    try world.define()
    try world.submit(99, as: P.bob)
    try world.submit(10, as: P.ada)
    let id = try #require(try world.issue(to: [P.bob], as: P.ada).first?.challenge)
    #expect(try world.received(by: P.bob).map(\.id) == [id])
    // The attempt counts although it leaves the entry as it is, and in the issue's own millisecond.
    let reply = try world.submit(10, as: P.bob)
    #expect(!reply.isImproved && reply.entry.value == 99)
    #expect(reply.completedChallenges == [id])
  }

  @Test("6.6 on a board of sums the new sum counts")
  func sums() throws {
    let (world, id) = try world { $0.aggregation = .sum }
    #expect(try world.submit(6, as: P.bob).completedChallenges == [])
    #expect(try world.submit(4, as: P.bob).completedChallenges == [id])
  }

  @Test("6.6 6.3 on a board of sums whoever's sum meets the target gets no challenge; others do")
  func metBefore() throws {
    for order in [ScoreOrder.highFirst, .lowFirst] {
      let sign: Int64 = order == .highFirst ? 1 : -1
      let world = World()
      try world.define { ($0.aggregation, $0.sortOrder) = (.sum, order) }
      try world.submit(10 * sign, as: P.ada)
      try world.submit(10 * sign, as: P.bob)
      try world.submit(9 * sign, as: P.cleo)
      let outcomes = try world.issue(to: [P.bob, P.cleo, P.dan], as: P.ada)
      #expect(outcomes.map(\.refusal) == [.alreadyMet, .none, .none])
      #expect(outcomes[0].challenge == nil)
      #expect(try world.submit(sign, as: P.bob).completedChallenges.isEmpty)
      #expect(try world.submit(sign, as: P.cleo).completedChallenges == [outcomes[1].challenge])
      #expect(try world.takeEvents(of: P.bob).isEmpty)
    }
  }

  @Test("6.3 only a friend is told from a challenge that it is met, and only on a board of sums")
  func metElsewhere() throws {
    for aggregation in [ScoreAggregation.sum, .best, .latest] {
      let world = World()
      try world.define { $0.aggregation = aggregation }
      for player in [P.ada, P.bob, P.cleo] { try world.submit(10, as: player) }
      let outcomes = try world.issue(to: [P.bob, P.cleo], as: P.ada, friends: [P.bob])
      let met: ChallengeRefusal = aggregation == .sum ? .alreadyMet : .none
      #expect(outcomes.map(\.refusal) == [met, .notReachable])
    }
  }

  @Test("6.6 a sum of an earlier occurrence meets no challenge of this one")
  func metBeforeThis() throws {
    let world = World()
    try world.define {
      $0.aggregation = .sum
      $0.recurrence = Recurrence(.seconds, 1_700_000_000, 100, every: 100)
    }
    try world.submit(20, as: P.bob)
    world.driver.clock += 100_000
    try world.submit(10, as: P.ada)
    let issued = try world.issue(to: [P.bob], as: P.ada)
    #expect(issued.map(\.refusal) == [.none])
    #expect(try world.submit(9, as: P.bob).completedChallenges.isEmpty)
    #expect(try world.issue(to: [P.bob], as: P.ada).map(\.refusal) == [.none])
    #expect(try world.submit(1, as: P.bob).completedChallenges.count == 2)
    #expect(try world.issue(to: [P.bob], as: P.ada).map(\.refusal) == [.alreadyMet])
  }

  @Test("6.6 6.3 on a board of sums a score in quarantine counts against a new challenge")
  func metByHeld() throws {
    let world = World()
    try world.define {
      $0.aggregation = .sum
      $0.recurrence = Recurrence(.seconds, 1_700_000_000, 100, every: 100)
    }
    try world.submit(20, as: P.ada)
    try world.submit(15, as: P.bob)
    try world.restrict(P.bob, .quarantine)
    func issue(_ value: Int64) throws -> [ChallengeRefusal] {
      try world.issue(to: [P.bob], as: P.ada, value: value).map(\.refusal)
    }
    #expect(try issue(15) == [.alreadyMet])
    #expect(try issue(16) == [.none])
    // The two are one sum once the score is released.
    #expect(try world.submit(4, as: P.bob).completedChallenges.isEmpty)
    #expect(try issue(19) == [.alreadyMet])
    #expect(try issue(20) == [.none])
    // It never is in a sum of the next occurrence.
    world.driver.clock += 100_000
    try world.submit(20, as: P.ada)
    #expect(try issue(15) == [.none])
  }

  @Test("6.6 a retried score completes a challenge once", arguments: [true, false])
  func retry(restarts: Bool) throws {
    let (world, id) = try world()
    let key = IdempotencyKey(instance: 4, counter: 1, floor: 1)
    let first = try world.submit(12, as: P.bob, key: key)
    if restarts { try world.driver.restart() }
    let second = try world.submit(12, as: P.bob, key: key)
    #expect(first == second && first.completedChallenges == [id])
    #expect(try world.takeEvents(of: P.ada).count == 1)
    #expect(try world.takeEvents(of: P.bob).count == 1)
  }

  @Test("7.1 retried calls issue once and answer the same", arguments: [true, false])
  func retriedIssue(restarts: Bool) throws {
    let (world, _) = try world()
    let key = IdempotencyKey(instance: 4, counter: 1, floor: 1)
    let first = try world.issue(to: [P.cleo], as: P.ada, key: key)
    if restarts { try world.driver.restart() }
    #expect(try world.issue(to: [P.cleo], as: P.ada, key: key) == first)
    #expect(try world.received(by: P.cleo).map(\.id) == first.map(\.challenge))
    #expect(try world.takeEvents(of: P.cleo).count == 1)
  }

  @Test("6.7 a report may name the eligible challenges")
  func eligible() throws {
    let (world, first) = try world()
    let second = try #require(try world.issue(to: [P.bob], as: P.ada).first?.challenge)
    let third = try #require(try world.issue(to: [P.bob], as: P.ada).first?.challenge)
    #expect(try world.submit(20, as: P.bob, eligible: []).completedChallenges == [])
    #expect(
      try world.submit(20, as: P.bob, eligible: [second, .sample(1)]).completedChallenges
        == [second])
    #expect(Set(try world.received(by: P.bob).map(\.id)) == [first, third])
    #expect(try world.submit(20, as: P.bob).completedChallenges == [first, third])
  }

  @Test("6.7 eligible challenges that cannot be are refused")
  func eligibleFaults() throws {
    let (world, id) = try world()
    var operation = SubmitScore()
    operation.board = "board"
    operation.value = 20
    operation.eligibleChallenges = [id]
    expectRefusal(.invalidArgument, "eligibleChallenges") {
      try world.driver.call(operation, as: P.bob)
    }
    operation.eligibility = .listed
    operation.eligibleChallenges = (0...100).map { ChallengeID.sample($0) }
    expectRefusal(.invalidArgument, "eligibleChallenges") {
      try world.driver.call(operation, as: P.bob)
    }
    operation.eligibility = ChallengeEligibility(rawValue: 5)
    expectRefusal(.invalidArgument, "eligibility") {
      try world.driver.call(operation, as: P.bob)
    }
  }

  @Test("6.6 another player's score, another board and the issuer's own complete nothing")
  func others() throws {
    let (world, _) = try world()
    try world.define("other")
    #expect(try world.submit(20, as: P.cleo).completedChallenges == [])
    #expect(try world.submit(20, as: P.ada).completedChallenges == [])
    #expect(try world.submit(20, as: P.bob, to: "other").completedChallenges == [])
    #expect(try world.received(by: P.bob).map(\.value) == [10])
  }

  @Test("6.6 restarts between any two steps lose and double nothing", arguments: 0..<16)
  func restarts(mask: Int) throws {
    let world = World()
    func pause(_ step: Int) throws { if mask & (1 << step) != 0 { try world.driver.restart() } }
    try world.define()
    try world.submit(10, as: P.ada)
    try pause(0)
    let id = try #require(try world.issue(to: [P.bob], as: P.ada).first?.challenge)
    try pause(1)
    try world.accept(id, as: P.bob)
    try pause(2)
    #expect(try world.submit(10, as: P.bob).completedChallenges == [id])
    try pause(3)
    #expect(try world.received(by: P.bob).isEmpty)
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed])
    #expect(try world.takeEvents(of: P.bob).count == 2)
    #expect(try world.takeEvents(of: P.ada).count == 1)
    try world.driver.restart()
    #expect(try world.takeEvents(of: P.bob) == [])
  }

  @Test("6.9 a game sees only its own boards and challenges")
  func games() throws {
    let (world, _) = try world()
    try world.settle()
    let operation = ReceivedChallenges()
    #expect(try world.driver.call(operation, as: P.bob).challenges.count == 1)
    let other = World(game: "other")
    expectRefusal(.notFound, "board") { try other.submit(1, as: P.ada) }
    #expect(try other.driver.call(operation, as: P.bob).challenges.isEmpty)
  }
}
