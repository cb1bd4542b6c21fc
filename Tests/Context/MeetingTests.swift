import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// What matches and contexts tell the request service of who has met.
@Suite struct MeetingTests {
  /// Who was told of whom since the last look, in order.
  private func told(_ driver: ContextDriver) throws -> [PlayerID: Set<PlayerID>] {
    var told: [PlayerID: Set<PlayerID>] = [:]
    for news in try driver.takeEffects(RecordRecentPlayers.self) {
      #expect(news.key == RoutingKey(reinterpreting: news.operation.player))
      #expect(!news.operation.others.isEmpty && news.operation.time <= driver.clock)
      #expect(!news.operation.others.contains(news.operation.player))
      told[news.operation.player, default: []].formUnion(news.operation.others)
    }
    return told
  }

  @Test("2.9 the two of a pair have met when both have come, and when their match begins")
  func pair() throws {
    let driver = ContextDriver()
    let context = try driver.createPair(ann, with: ben).context
    #expect(try told(driver).isEmpty)
    try driver.enter(context, as: ben)
    #expect(try told(driver) == [ann: [ben], ben: [ann]])
    try driver.enter(context, as: ann)
    try driver.enter(context, as: ben)
    #expect(try told(driver).isEmpty, "nobody has come anew")
    driver.clock += 1000
    try driver.join(context, as: ann, session: 1, seat: 11)
    #expect(try told(driver).isEmpty)
    try driver.join(context, as: ben, session: 2, seat: 12)
    #expect(try told(driver) == [ann: [ben], ben: [ann]])
  }

  @Test("2.9 all of a match have met, those who were invited and never came have not")
  func group() throws {
    let world = GroupWorld()
    let id = try world.create(ann, inviting: [ben, cho]).info.context
    #expect(try told(world.driver).isEmpty)
    try world.enter(id, ben)
    #expect(try told(world.driver) == [ann: [ben], ben: [ann]])
    try world.enter(id, cho)
    #expect(try told(world.driver) == [ann: [cho], ben: [cho], cho: [ann, ben]])
  }

  @Test("2.9 a match of many tells each player of all others once, and of who comes later")
  func match() throws {
    let clients = try MatchClients(seed: 1, count: 5)
    let players = Set(clients.players)
    let all = Dictionary(
      uniqueKeysWithValues: players.map { ($0, players.subtracting([$0])) })
    #expect(try told(clients.driver) == all)
  }

  @Test("2.9 of a large group those who came last are told, so that coming costs a bounded amount")
  func largeGroup() throws {
    let world = GroupWorld()
    let id = try world.create(ann, .open, sizeMax: 100).info.context
    for number in 2...60 { try world.join(id, .sample(UInt64(number))) }
    _ = try told(world.driver)
    try world.join(id, .sample(61))
    let told = try told(world.driver)
    let last = Set((29...60).map { PlayerID.sample(UInt64($0)) })
    #expect(last.count == RecentPlayerLimits.toldMax)
    #expect(told[.sample(61)] == last && told.count == last.count + 1)
  }
}
