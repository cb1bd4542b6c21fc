import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// Beaten challenges that are issued back.
struct ReturnTests {
  typealias P = Players

  /// Ada has 10 on the board, or on a low-first one -10.
  private func world(_ order: ScoreOrder = .highFirst) throws -> World {
    let world = World()
    try world.define { $0.sortOrder = order }
    try world.submit(order == .lowFirst ? -10 : 10, as: P.ada)
    return world
  }

  private func prefer(_ world: World, _ issuesBack: Bool, as player: PlayerID = P.bob) throws {
    var operation = SetChallengePreferences()
    operation.issuesBack = issuesBack
    try world.driver.call(operation, as: player)
    let set = try world.driver.call(GetChallengePreferences(), as: player)
    #expect(set.issuesBack == issuesBack)
  }

  /// What Ada has received back, once the request service has said that the two are friends.
  private func returned(_ world: World, areFriends: Bool = true) throws -> [Challenge] {
    try world.settle()
    for (key, offer) in try world.driver.takeEffects(OfferReturnChallenge.self) {
      #expect(key == RoutingKey(reinterpreting: offer.player))
      #expect(offer.player == offer.challenge.issuer)
      if areFriends { try world.driver.call(offer.challenge, as: PlayerID(), kind: .service) }
    }
    return try world.received(by: P.ada)
  }

  @Test(
    "6.6 a beaten challenge is issued back on a strictly better score", arguments: [true, false])
  func better(isHighFirst: Bool) throws {
    let world = try world(isHighFirst ? .highFirst : .lowFirst)
    let sign: Int64 = isHighFirst ? 1 : -1
    try prefer(world, true)
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.driver.restart()
    #expect(try world.submit(11 * sign, as: P.bob, scoreTag: 7).completedChallenges.count == 1)
    let back = try returned(world)
    #expect(back.map(\.value) == [11 * sign] && back.map(\.scoreTag) == [7])
    #expect(back.map(\.issuer) == [P.bob] && back.map(\.board) == ["board"])
    #expect(try world.issued(by: P.bob) == back)
    #expect(try world.takeEvents(of: P.ada).last == .received(back[0]))
    try world.submit(12 * sign, as: P.ada)
    #expect(try returned(world).isEmpty)
    #expect(try world.received(by: P.bob).isEmpty)
  }

  @Test("6.6 nothing is issued back by default, on an equal score, or after switching it off")
  func never() throws {
    let world = try world()
    _ = try world.issue(to: [P.bob, P.cleo, P.dan], as: P.ada)
    try world.submit(11, as: P.bob)
    try prefer(world, true, as: P.cleo)
    try world.submit(10, as: P.cleo)
    try prefer(world, true, as: P.dan)
    try prefer(world, false, as: P.dan)
    try world.driver.restart()
    try world.submit(11, as: P.dan)
    #expect(try returned(world).isEmpty)
    #expect(try world.issued(by: P.ada).map(\.state) == [.completed, .completed, .completed])
  }

  @Test("6.6 only who had opted in before gets beaten challenges issued back")
  func optedInLater() throws {
    let world = try world()
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(11, as: P.bob)
    world.driver.clock += 1
    try prefer(world, true)
    #expect(try returned(world).isEmpty)
  }

  @Test("6.6 not when a pending one asks for as much, and again when it asks for less")
  func pending() throws {
    let world = try world()
    try prefer(world, true)
    _ = try world.issue(to: [P.bob], as: P.ada)
    _ = try world.issue(to: [P.bob], as: P.ada)
    #expect(try world.submit(20, as: P.bob).completedChallenges.count == 2)
    #expect(try returned(world).map(\.value) == [20])
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(15, as: P.bob)
    #expect(try returned(world).map(\.value) == [20])
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(30, as: P.bob)
    #expect(Set(try returned(world).map(\.value)) == [20, 30])
  }

  @Test("6.6 on a board of sums nothing is issued back to whoever's sum meets it by then")
  func metBefore() throws {
    for (sum, values) in [(14, [11]), (15, []), (16, [])] as [(Int64, [Int64])] {
      let world = World()
      try world.define { $0.aggregation = .sum }
      try prefer(world, true)
      try world.submit(10, as: P.ada)
      _ = try world.issue(to: [P.bob], as: P.ada)
      try world.submit(15, as: P.bob)
      try world.settle()
      try world.driver.restart()
      try world.submit(sum - 10, as: P.ada)
      #expect(try returned(world).map(\.value) == (values.isEmpty ? [] : [15]))
    }
  }

  @Test("6.3 6.6 nothing is issued back to who is no friend any more")
  func strangers() throws {
    let world = try world()
    try prefer(world, true)
    _ = try world.issue(to: [P.bob], as: P.ada)
    try world.submit(11, as: P.bob)
    #expect(try returned(world, areFriends: false).isEmpty)
  }
}
