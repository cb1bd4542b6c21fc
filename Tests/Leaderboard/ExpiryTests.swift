import Domain
import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// Challenges that nobody completes in time.
struct ExpiryTests {
  typealias P = Players

  /// Ada challenges Bob, for ten milliseconds unless told otherwise, to beat a score or to earn an
  /// achievement.
  private func challenge(
    _ world: World, isScore: Bool, lifetime: UInt64? = 10
  ) throws -> ChallengeID {
    if isScore {
      try world.define()
      try world.submit(10, as: P.ada)
      return try #require(
        try world.issue(to: [P.bob], as: P.ada, lifetime: lifetime).first?.challenge)
    }
    try world.defineAchievement("once")
    try world.report([("once", 100)], as: P.ada)
    return try #require(
      try world.challenge(P.bob, to: "once", as: P.ada, lifetime: lifetime).challenge)
  }

  /// Bob tries to meet it; those that he completes.
  private func meet(_ world: World, isScore: Bool) throws -> [ChallengeID] {
    isScore
      ? try world.submit(10, as: P.bob).completedChallenges
      : try world.report([("once", 100)], as: P.bob).completedChallenges
  }

  @Test("6.5 a challenge expires at its date, and both are told once", arguments: [true, false])
  func expiry(isScore: Bool) throws {
    let world = World()
    let id = try challenge(world, isScore: isScore)
    try world.settle()
    world.driver.clock += 9
    world.driver.runTimers()
    #expect(try world.received(by: P.bob).map(\.id) == [id])
    world.driver.clock += 1
    world.driver.runTimers()
    world.driver.runTimers()
    #expect(try world.received(by: P.bob).isEmpty)
    let issued = try world.issued(by: P.ada)
    #expect(issued.map(\.state) == [.expired])
    #expect(try world.takeEvents(of: P.ada) == [.expired(issued[0])])
    #expect(try world.takeEvents(of: P.bob).last == .expired(issued[0]))
    try world.driver.restart()
    world.driver.runTimers()
    #expect(try world.takeEvents(of: P.ada).isEmpty)
    #expect(try world.takeEvents(of: P.bob).isEmpty)
  }

  @Test(
    "6.5 an expired challenge is not completed, even before time has noticed",
    arguments: [true, false])
  func late(isScore: Bool) throws {
    let world = World()
    let id = try challenge(world, isScore: isScore)
    world.driver.clock += 10
    #expect(try meet(world, isScore: isScore) == [])
    expectRefusal(.notFound, "challenge") {
      if isScore {
        try world.accept(id, as: P.bob)
      } else {
        try world.answer(id, accept: true, as: P.bob)
      }
    }
    try world.driver.restart()
    world.driver.runTimers()
    #expect(try world.issued(by: P.ada).map(\.state) == [.expired])
  }

  @Test("6.5 what ended before its date does not expire", arguments: [true, false])
  func ended(isScore: Bool) throws {
    let world = World()
    let id = try challenge(world, isScore: isScore)
    world.driver.clock += 9
    func dates() throws -> Int {
      try (world.driver.rows[TimerRow.tableID] ?? [:]).values.count {
        try TimerRow(decoding: $0).key.opcode == ExpireChallenge.opcode.rawValue
      }
    }
    let pending = world.driver.engine.pendingTimerCount
    #expect(try dates() == 1)
    #expect(try meet(world, isScore: isScore) == [id])
    // The date is forgotten at once; a score that was met adds the daily round of its board.
    #expect(world.driver.engine.pendingTimerCount == pending - (isScore ? 0 : 1))
    #expect(try dates() == 0)
    world.driver.clock += 9
    world.driver.runTimers()
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed])
    #expect(try world.takeEvents(of: P.ada).count == 1)
  }

  @Test("6.5 without a lifetime a challenge never expires, and a lifetime is bounded")
  func never() throws {
    let world = World()
    try world.define()
    try world.submit(10, as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada)
    world.driver.clock += 1 << 50
    world.driver.runTimers()
    #expect(try world.received(by: P.bob).map(\.expiryDate) == [nil])
    expectRefusal(.invalidArgument, "lifetimeMilliseconds") {
      _ = try world.issue(to: [P.bob], as: P.ada, lifetime: .max)
    }
  }

  @Test("6.5 a challenge without a lifetime has the deployment's", arguments: [true, false])
  func deploymentsLifetime(isScore: Bool) throws {
    let world = World(settings: [.challengeLifetime: 2])
    _ = try challenge(world, isScore: isScore, lifetime: nil)
    let day: Int64 = 24 * 3600 * 1000
    let challenge = try #require(try world.received(by: P.bob).first)
    #expect(challenge.expiryDate == challenge.issueDate + 2 * day)
    world.driver.clock += 2 * day
    #expect(try meet(world, isScore: isScore).isEmpty)
  }

  @Test("6.5 a lifetime is positive and not too short", arguments: [true, false])
  func positive(isScore: Bool) throws {
    let world = World(settings: [.challengeLifetimeMin: 60])
    for lifetime: UInt64 in [0, 1, 59_999] {
      expectRefusal(.invalidArgument, "lifetimeMilliseconds") {
        _ = try challenge(world, isScore: isScore, lifetime: lifetime)
      }
    }
    #expect(try world.received(by: P.bob).isEmpty)
    _ = try challenge(world, isScore: isScore, lifetime: 60_000)
    let issued = try #require(try world.received(by: P.bob).first)
    #expect(issued.expiryDate == issued.issueDate + 60_000)
  }

  @Test("6.5 0 is no lifetime, also where none is too short", arguments: [true, false])
  func zero(isScore: Bool) throws {
    expectRefusal(.invalidArgument, "lifetimeMilliseconds") {
      _ = try challenge(World(), isScore: isScore, lifetime: 0)
    }
  }

  @Test("6.5 a lifetime that the issuer gives goes before the deployment's")
  func ownLifetime() throws {
    let world = World(settings: [.challengeLifetime: 2])
    _ = try challenge(world, isScore: true)
    let challenge = try #require(try world.received(by: P.bob).first)
    #expect(challenge.expiryDate == challenge.issueDate + 10)
  }

  @Test("6.5 many expire one by one, the earliest first")
  func steps() throws {
    let world = World()
    try world.define()
    try world.submit(10, as: P.ada)
    for number in 0..<100 as Range<UInt64> {
      let lifetime = 1 + (number * 37) % 100
      _ = try world.issue(to: [.sample(number)], as: P.ada, lifetime: lifetime)
    }
    try world.settle()
    world.driver.clock += 1000
    var left = 100
    world.driver.runTimers(atMost: 1)
    while left > 0 {
      world.driver.runTimers(atMost: 10)
      let before = try world.issued(by: P.ada).filter { $0.state.isOpen }
      let step = left - before.count
      #expect(step > 0 && step <= 10)
      #expect(before.allSatisfy { ($0.expiryDate ?? 0) > $0.issueDate + Int64(100 - left + step) })
      left = before.count
    }
  }

  @Test("6.5 those of one date expire in one order, whatever order a restart finds them in")
  func ties() throws {
    let world = World()
    try world.define()
    try world.submit(10, as: P.ada)
    let receivers = (0..<16 as Range<UInt64>).map { PlayerID.sample($0) }
    let issued = try world.issue(to: receivers, as: P.ada, lifetime: 10).compactMap(\.challenge)
    try world.settle()
    _ = try world.takeEvents(of: P.ada)
    try world.driver.restart()
    world.driver.clock += 10
    world.driver.runTimers()
    let expired = try world.takeEvents(of: P.ada).compactMap { event in
      if case .expired(let challenge) = event { challenge.id } else { nil }
    }
    #expect(expired == issued.sorted())
    #expect(expired.count == receivers.count)
  }
}
