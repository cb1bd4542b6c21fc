import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// What cannot be asked for, each with the right error, and nothing of it happens.
struct BadInputTests {
  typealias P = Players

  /// A board with a score of Ada's and one to challenge with; an achievement that Ada has.
  private func world() throws -> World {
    let world = World()
    try world.define {
      $0.minimum = -9
      $0.maximum = 9
    }
    try world.submit(5, as: P.ada)
    try world.defineAchievement("first")
    try world.report([("first", 100)], as: P.ada)
    return world
  }

  /// Refused, and no row but the driver's own has changed.
  private func expectNothing(
    _ world: World, _ code: FailureCode, _ argument: String,
    sourceLocation: SourceLocation = #_sourceLocation, _ call: () throws -> Void
  ) {
    let before = world.driver.rows
    expectRefusal(code, argument, sourceLocation: sourceLocation, call)
    #expect(world.driver.rows == before, sourceLocation: sourceLocation)
  }

  private func expectUnknown<O: Operation>(
    _ type: O.Type, _ world: World, as kind: PrincipalKind = .player,
    _ change: (inout O, String) -> Void
  ) throws {
    var operation = O()
    change(&operation, "other")
    expectNothing(world, .notFound, "board") {
      try world.driver.call(operation, as: P.ada, kind: kind)
    }
    change(&operation, "")
    expectNothing(world, .requiredArgument, "board") {
      try world.driver.call(operation, as: P.ada, kind: kind)
    }
  }

  @Test("4.2 4.3 4.6 6.2 6.5 unknown board: whatever names it is refused")
  func unknownBoard() throws {
    let world = try world()
    try expectUnknown(DescribeLeaderboard.self, world) { $0.board = $1 }
    try expectUnknown(TopScores.self, world) { $0.board = $1 }
    try expectUnknown(FriendScores.self, world) { $0.board = $1 }
    try expectUnknown(LesserScores.self, world) { $0.board = $1 }
    try expectUnknown(ScoresAroundPlayer.self, world) { $0.board = $1 }
    try expectUnknown(RankOfPlayer.self, world) { $0.board = $1 }
    try expectUnknown(RankOfValue.self, world) { ($0.board, $0.value) = ($1, 1) }
    try expectUnknown(SubmitScore.self, world) { ($0.board, $0.value) = ($1, 1) }
    try expectUnknown(StartRun.self, world) { $0.board = $1 }
    try expectUnknown(RemoveScore.self, world, as: .gameServer) { $0.board = $1 }
    try expectUnknown(RestrictPlayer.self, world, as: .gameServer) { $0.board = $1 }
    try expectUnknown(IssueScoreChallenge.self, world) {
      ($0.board, $0.receivers) = ($1, [P.bob])
    }
    try expectUnknown(AcceptChallenge.self, world) { $0.board = $1 }
    try expectUnknown(DeclineChallenge.self, world) { $0.board = $1 }
  }

  @Test("4.1 4.2 value out of the board's rules", arguments: [-10, 10, .min, .max] as [Int64])
  func value(value: Int64) throws {
    let world = try world()
    expectNothing(world, .invalidArgument, "value") { try world.submit(value, as: P.ada) }
    expectNothing(world, .invalidArgument, "value") { try world.submit(value, as: P.bob) }
    expectNothing(world, .requiredArgument, "value") { try world.submit(nil, as: P.bob) }
  }

  @Test("5.1 percent that is no number, or none from 0 to 100")
  func percent() throws {
    let world = try world()
    for percent in [.nan, -.nan, .infinity, -1, 100.5, -Double.leastNonzeroMagnitude] {
      expectNothing(world, .invalidArgument, "percentComplete") {
        try world.report([("first", percent)], as: P.bob)
      }
    }
  }

  @Test("4.3 4.4 4.5 range that starts at 0, or has 0 or 101 entries")
  func range() throws {
    let world = try world()
    func refused(_ argument: String, _ start: UInt32, _ count: UInt32) {
      expectNothing(world, .invalidArgument, argument) { _ = try world.top(start, count) }
      expectNothing(world, .invalidArgument, argument) {
        _ = try world.top(start, count, players: [P.ada])
      }
      expectNothing(world, .invalidArgument, argument) {
        _ = try world.friendScores(start, count, as: P.ada, friends: [])
      }
      expectNothing(world, .invalidArgument, argument) {
        _ = try world.lesser(start, count, as: P.ada, friends: [])
      }
    }
    refused("start", 0, 10)
    for count: UInt32 in [0, 101] {
      refused("count", 1, count)
      expectNothing(world, .invalidArgument, "count") {
        _ = try world.around(nil, count, as: P.ada)
      }
    }
    #expect(try world.top(1, 100).entries.count == 1)
  }

  @Test("4.6 foreign ticket, and reused ticket")
  func tickets() throws {
    let world = World()
    try world.define { $0.requiresTicket = true }
    let ticket = try world.startRun(as: P.ada).ticket
    expectNothing(world, .notAllowed, "ticket") {
      try world.submit(1, as: P.bob, ticket: ticket)
    }
    try world.submit(1, as: P.ada, ticket: ticket)
    expectNothing(world, .alreadyExists, "ticket") {
      try world.submit(2, as: P.ada, ticket: ticket)
    }
    #expect(try world.rank(of: P.ada).entry?.value == 1)
  }

  @Test("6.2 challenge to earn what the issuer has not completed")
  func notCompleted() throws {
    let world = try world()
    try world.report([("first", 99.9)], as: P.bob)
    expectNothing(world, .notAllowed, "achievement") {
      _ = try world.challenge(P.ada, to: "first", as: P.bob)
    }
  }

  /// The call is answered, with the reason for each receiver; nothing is made for them.
  @Test("6.3 challenge to oneself or a stranger")
  func receivers() throws {
    let world = try world()
    for (receiver, refusal) in [(P.ada, ChallengeRefusal.oneself), (P.cleo, .notReachable)] {
      let outcomes = try world.issue(to: [receiver], as: P.ada, friends: [P.ada, P.bob])
      #expect(outcomes.map(\.refusal) == [refusal])
      #expect(outcomes.map(\.challenge) == [nil])
      let earning = try world.challenge(receiver, to: "first", as: P.ada, friends: [P.ada, P.bob])
      #expect(earning.refusal == refusal && earning.challenge == nil)
    }
    for player in [P.ada, P.cleo] {
      #expect(try world.received(by: player).isEmpty)
      #expect(try world.takeEvents(of: player).isEmpty)
    }
    #expect(try world.issued(by: P.ada).isEmpty)
  }
}
