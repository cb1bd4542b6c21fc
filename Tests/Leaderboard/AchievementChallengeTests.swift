import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// Challenges to earn what the issuer has earned.
struct AchievementChallengeTests {
  typealias P = Players

  /// Ada has completed everything.
  private func world() throws -> World {
    let world = World()
    try world.defineAchievement("once")
    try world.defineAchievement("again") { $0.isReplayable = true }
    try world.defineAchievement("secret") { $0.isHidden = true }
    try world.report([("once", 100), ("again", 100), ("secret", 100)], as: P.ada)
    return world
  }

  @Test("6.1 6.9 an achievement challenge with all its fields, on both lists and told once")
  func issuing() throws {
    let world = try world()
    let id = try #require(try world.challenge(P.bob, to: "once", as: P.ada).challenge)
    var expected = Challenge()
    expected.id = id
    expected.achievement = "once"
    expected.issuer = P.ada
    expected.receiver = P.bob
    expected.message = "now you"
    expected.issueDate = world.driver.clock
    for _ in 0..<2 {
      #expect(try world.received(by: P.bob) == [expected])
      #expect(try world.issued(by: P.ada) == [expected])
      try world.driver.restart()
    }
    #expect(try world.takeEvents(of: P.bob) == [.received(expected)])
    #expect(try world.takeEvents(of: P.ada) == [])
  }

  @Test("6.2 only for an achievement that the issuer has completed")
  func notCompleted() throws {
    let world = try world()
    try world.report([("once", 99.9)], as: P.bob)
    for name in ["once", "again"] {
      expectRefusal(.notAllowed, "achievement") {
        _ = try world.challenge(P.cleo, to: name, as: P.bob)
      }
    }
    expectRefusal(.notFound, "achievement") {
      _ = try world.challenge(P.bob, to: "unknown", as: P.ada)
    }
    expectRefusal(.requiredArgument, "achievement") {
      _ = try world.challenge(P.bob, to: "", as: P.ada)
    }
    expectRefusal(.requiredArgument, "receiver") {
      _ = try world.challenge(PlayerID(), to: "once", as: P.ada)
    }
    expectRefusal(.invalidArgument, "message") {
      let long = String(repeating: "x", count: 501)
      _ = try world.challenge(P.bob, to: "once", as: P.ada, message: long)
    }
    #expect(try world.received(by: P.cleo).isEmpty)
  }

  @Test("6.3 who has it, for whom it is hidden, oneself and strangers get none; others theirs")
  func refusals() throws {
    let world = try world()
    try world.report([("once", 100), ("again", 100)], as: P.cleo)
    try world.report([("secret", 0)], as: P.dan)
    func refusal(_ receiver: PlayerID, _ name: String, friends: [PlayerID]? = nil) throws
      -> ChallengeRefusal
    {
      let outcome = try world.challenge(receiver, to: name, as: P.ada, friends: friends)
      #expect((outcome.challenge == nil) == (outcome.refusal != .none))
      #expect(outcome.receiver == receiver)
      return outcome.refusal
    }
    #expect(try refusal(P.cleo, "once") == .alreadyEarned)
    #expect(try refusal(P.cleo, "again") == .none)
    #expect(try refusal(P.cleo, "secret") == .hidden)
    #expect(try refusal(P.dan, "secret") == .none)
    #expect(try refusal(P.bob, "once") == .none)
    #expect(try refusal(P.ada, "once") == .oneself)
    #expect(try refusal(P.bob, "once", friends: [P.cleo]) == .notReachable)
    let blocked = try world.challenge(P.bob, to: "once", as: P.ada, blocking: [P.bob])
    #expect(blocked.refusal == .notReachable && blocked.challenge == nil)
    #expect(try world.received(by: P.cleo).map(\.achievement) == ["again"])
    #expect(try world.received(by: P.ada).isEmpty)
  }

  @Test("6.3 a receiver's open achievement challenges are bounded, from one issuer and in all")
  func bounds() throws {
    let world = try world()
    func refusal(_ issuer: PlayerID) throws -> ChallengeRefusal {
      try world.challenge(P.bob, to: "once", as: issuer).refusal
    }
    for _ in 0..<10 { #expect(try refusal(P.ada) == .none) }
    #expect(try refusal(P.ada) == .limitReached)
    for number in 0..<9 as Range<UInt64> {
      try world.report([("once", 100)], as: .sample(number))
      for _ in 0..<10 { #expect(try refusal(.sample(number)) == .none) }
    }
    try world.report([("once", 100)], as: P.dan)
    #expect(try refusal(P.dan) == .limitReached)
    #expect(try world.report([("once", 100)], as: P.bob).completedChallenges.count == 100)
    #expect(try world.received(by: P.bob).isEmpty)
  }

  @Test("6.4 whether a friend can still earn it, and why not")
  func challengeable() throws {
    let world = try world()
    try world.report([("once", 100)], as: P.cleo)
    func check(
      _ receiver: PlayerID, _ name: String = "once", friends: [PlayerID] = [P.bob, P.cleo]
    ) throws -> ChallengeRefusal {
      var operation = CheckAchievementChallenge()
      operation.receiver = receiver
      operation.achievement = name
      // The whole list of friends would weigh as much for each friend as for all.
      var facts = try world.facts(of: P.dan)
      facts.all.removeAll { $0.opcode == FetchFriends.opcode.rawValue }
      var answer = FetchPlayer.Reply()
      (answer.isReachable, answer.isFriend) = (true, friends.contains(receiver))
      facts.all.append(Fact(FetchPlayer.self, at: receiver, answer))
      return try world.driver.call(operation, as: P.dan, facts: facts).refusal
    }
    #expect(try check(P.bob) == .none)
    #expect(try check(P.bob, "secret") == .hidden)
    #expect(try check(P.cleo) == .alreadyEarned)
    #expect(try check(P.ada) == .notReachable)
    #expect(try check(P.bob, friends: []) == .notReachable)
    #expect(try check(P.dan) == .oneself)
    let needed = CheckAchievementChallenge.needs.map(\.opcode)
    #expect(needed.contains(FetchPlayer.opcode))
    #expect(!needed.contains(FetchFriends.opcode))
    expectRefusal(.notFound, "achievement") { _ = try check(P.bob, "unknown") }
    expectRefusal(.requiredArgument, "receiver") { _ = try check(PlayerID()) }
  }

  @Test("6.5 accepted ones stay on the list; declined ones do not, and the issuer is told")
  func answering() throws {
    let world = try world()
    let id = try #require(try world.challenge(P.bob, to: "once", as: P.ada).challenge)
    expectRefusal(.notFound, "challenge") { try world.answer(id, accept: true, as: P.ada) }
    // An answer that changes nothing is no news for the other devices.
    for news in [ChallengeState.accepted, nil] {
      try world.answer(id, accept: true, as: P.bob)
      #expect(try world.received(by: P.bob).map(\.state) == [.accepted])
      #expect(try world.takeHints(of: P.bob).last == news)
      #expect(try world.issued(by: P.ada).map(\.state) == [.accepted])
      try world.driver.restart()
    }
    try world.answer(id, accept: false, as: P.bob)
    #expect(try world.received(by: P.bob).isEmpty)
    let issued = try world.issued(by: P.ada)
    #expect(issued.map(\.state) == [.declined])
    #expect(try world.takeEvents(of: P.ada) == [.declined(issued[0])])
    expectRefusal(.notFound, "challenge") { try world.answer(id, accept: false, as: P.bob) }
    #expect(try world.report([("once", 100)], as: P.bob).completedChallenges == [])
  }

  @Test("6.6 earning it completes it, and both sides are told once, over retries and restarts")
  func completing() throws {
    let world = try world()
    let id = try #require(try world.challenge(P.bob, to: "once", as: P.ada).challenge)
    let other = try #require(try world.challenge(P.bob, to: "again", as: P.ada).challenge)
    #expect(try world.report([("once", 99)], as: P.bob).completedChallenges == [])
    world.driver.clock += 9
    let key = IdempotencyKey(instance: 5, counter: 1, floor: 1)
    let reply = try world.report([("once", 100)], as: P.bob, key: key)
    #expect(reply.completedChallenges == [id])
    try world.driver.restart()
    #expect(try world.report([("once", 100)], as: P.bob, key: key) == reply)
    #expect(try world.report([("once", 100)], as: P.bob).completedChallenges == [])
    #expect(try world.received(by: P.bob).map(\.id) == [other])
    let done = try #require(try world.issued(by: P.ada).first { $0.id == id })
    #expect(done.state == .completed && done.completionDate == world.driver.clock)
    var event = ChallengeCompleted()
    event.challenge = done
    #expect(try world.takeEvents(of: P.ada) == [.completed(event)])
    event.isLocal = true
    #expect(try world.takeEvents(of: P.bob).last == .completed(event))
  }

  @Test("6.6 5.3 only reports after the issue date count, so a replayable one is earned again")
  func replayable() throws {
    let world = try world()
    try world.report([("again", 100)], as: P.bob)
    let id = try #require(try world.challenge(P.bob, to: "again", as: P.ada).challenge)
    #expect(try world.report([("again", 50)], as: P.bob).completedChallenges == [])
    #expect(try world.report([("again", 100)], as: P.bob).completedChallenges == [id])
  }

  @Test("6.7 a report names its eligible achievement challenges")
  func eligible() throws {
    let world = try world()
    let ids = try (0..<3).map { _ in
      try #require(try world.challenge(P.bob, to: "once", as: P.ada).challenge)
    }
    #expect(try world.report([("once", 100)], as: P.bob, eligible: []).completedChallenges == [])
    let one = try world.report([("once", 100)], as: P.bob, eligible: [ids[1]])
    #expect(one.completedChallenges == [ids[1]])
    #expect(
      Set(try world.report([("once", 100)], as: P.bob).completedChallenges) == [ids[0], ids[2]])
    var operation = ReportAchievements()
    operation.reports = [AchievementReport()]
    operation.reports[0].achievement = "once"
    operation.eligibleChallenges = ids
    expectRefusal(.invalidArgument, "eligibleChallenges") {
      try world.driver.call(operation, as: P.bob)
    }
  }

  @Test("5.4 a reset does not take back completed challenges, and open ones can be met again")
  func reset() throws {
    let world = try world()
    let done = try #require(try world.challenge(P.bob, to: "once", as: P.ada).challenge)
    try world.report([("once", 100)], as: P.bob)
    try world.driver.call(ResetAchievements(), as: P.bob)
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed])
    let open = try #require(try world.challenge(P.bob, to: "once", as: P.ada).challenge)
    #expect(try world.report([("once", 100)], as: P.bob).completedChallenges == [open])
    #expect(Set(try world.issued(by: P.ada).map(\.id)) == [done, open])
  }
}
