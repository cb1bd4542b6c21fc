import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import LeaderboardCore

/// How many challenges one player may issue.
struct ChallengeBudgetTests {
  typealias P = Players

  private let settings: [NumberSetting: Int] = [.challengeBurst: 50, .challengeRefill: 10]

  /// A board on which Ada and Bob have a score.
  private func world() throws -> World {
    let world = World(settings: settings)
    try world.define()
    for player in [P.ada, P.bob] { try world.submit(10, as: player) }
    return world
  }

  private func crowd(_ count: UInt64) -> [PlayerID] { (0..<count).map { PlayerID.sample($0) } }

  @Test("2.10 an issuer's budget is taken per receiver and outlives a restart")
  func budget() throws {
    let world = try world()
    // Whoever gets none costs none.
    let first = try world.issue(to: crowd(49) + [P.ada], as: P.ada)
    #expect(first.map(\.refusal) == Array(repeating: ChallengeRefusal.none, count: 49) + [.oneself])
    for _ in 0..<2 {
      do {
        _ = try world.issue(to: [P.cleo, P.dan], as: P.ada)
        Issue.record("two where there is room for one")
      } catch let failure as Failure {
        #expect(failure.code == .rateLimited && failure.retryAfterMilliseconds == 10_000)
      }
      try world.driver.restart()
    }
    #expect(try world.received(by: P.cleo).isEmpty)
    #expect(try world.issue(to: [P.cleo], as: P.bob)[0].refusal == .none)
    #expect(try world.issue(to: [P.cleo], as: P.ada)[0].refusal == .none)
    expectRefusal(.rateLimited) { _ = try world.issue(to: [P.dan], as: P.ada) }
    world.driver.clock += 9999
    expectRefusal(.rateLimited) { _ = try world.issue(to: [P.dan], as: P.ada) }
    world.driver.clock += 1
    #expect(try world.issue(to: [P.dan], as: P.ada)[0].refusal == .none)
    expectRefusal(.rateLimited) { _ = try world.issue(to: [P.dan], as: P.ada) }
    // Another board has a budget of its own.
    try world.define("other")
    try world.submit(10, as: P.ada, to: "other")
    #expect(try world.issue(to: [P.dan], as: P.ada, on: "other")[0].refusal == .none)
  }

  @Test("2.10 who can get none costs none, a repeated call costs once", arguments: [true, false])
  func costs(restarts: Bool) throws {
    let world = try world()
    for number in 0..<9 as Range<UInt64> {
      let key = IdempotencyKey(instance: 4, counter: number + 1, floor: 1)
      for _ in 0..<3 {
        if restarts { try world.driver.restart() }
        #expect(try world.issue(to: [P.cleo, P.ada], as: P.ada, key: key).count == 2)
      }
    }
    // The tenth is the last that one issuer may have open; strangers and a full list cost nothing.
    for _ in 0..<60 {
      _ = try world.issue(to: [P.cleo, P.dan], as: P.ada, friends: [P.cleo])
    }
    #expect(try world.received(by: P.cleo).count == LeaderboardLimits.openChallengesPerPairMax)
    #expect(try world.issue(to: crowd(40), as: P.ada).allSatisfy { $0.challenge != nil })
    expectRefusal(.rateLimited) { _ = try world.issue(to: [P.dan], as: P.ada) }
  }

  @Test("2.10 challenges to earn achievements have a budget at each receiver")
  func achievements() throws {
    let world = World(settings: settings)
    try world.defineAchievement("again") { $0.isReplayable = true }
    try world.report([("again", 100)], as: P.ada)
    for _ in 0..<5 {
      for _ in 0..<10 {
        #expect(try world.challenge(P.bob, to: "again", as: P.ada).refusal == .none)
      }
      #expect(try world.challenge(P.bob, to: "again", as: P.ada).refusal == .limitReached)
      try world.report([("again", 100)], as: P.bob)
    }
    for _ in 0..<2 {
      expectRefusal(.rateLimited) { _ = try world.challenge(P.bob, to: "again", as: P.ada) }
      try world.driver.restart()
    }
    #expect(try world.challenge(P.cleo, to: "again", as: P.ada).refusal == .none)
    world.driver.clock += 10_000
    #expect(try world.challenge(P.bob, to: "again", as: P.ada).refusal == .none)
  }

  @Test("2.10 the row of a budget goes when it is full again")
  func rows() throws {
    let world = try world()
    _ = try world.issue(to: [P.cleo, P.dan], as: P.ada)
    #expect(world.rowCount(ChallengeBudgetRow.tableID) == 1)
    world.driver.clock += 20_000
    try world.driver.restart()
    _ = try world.issue(to: [P.cleo], as: P.bob)
    #expect(world.rowCount(ChallengeBudgetRow.tableID) == 1)
  }

  @Test("6.6 what is issued back costs nobody's budget")
  func returns() throws {
    let world = try world()
    var preferences = SetChallengePreferences()
    preferences.issuesBack = true
    try world.driver.call(preferences, as: P.bob)
    _ = try world.issue(to: [P.bob], as: P.ada)
    _ = try world.issue(to: crowd(50), as: P.bob)
    try world.submit(20, as: P.bob)
    try world.settle()
    for (_, offer) in try world.driver.takeEffects(OfferReturnChallenge.self) {
      try world.driver.call(offer.challenge, as: PlayerID(), kind: .service)
    }
    #expect(try world.received(by: P.ada).map(\.value) == [20])
  }
}
