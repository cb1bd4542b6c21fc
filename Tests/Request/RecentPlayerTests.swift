import Domain
import Operations
import RequestCore
import TestKit
import Testing
import Wire

/// Whom a player has met, as matches and contexts tell it.
@Suite struct RecentPlayerTests {
  let world = World()

  private func meet(
    _ player: PlayerID, _ others: [PlayerID], at time: Int64, game: String = "game"
  ) throws {
    var news = RecordRecentPlayers()
    (news.player, news.others, news.time) = (player, others, time)
    try world.call(news, as: PlayerID(), game: game, kind: .service)
  }

  /// A page, with the facts that a gateway fetches when it is asked to.
  private func page(
    of player: PlayerID, cursor: String = "", limit: UInt32 = 25, game: String = "game"
  ) throws -> ListRecentPlayers.Reply {
    var list = ListRecentPlayers()
    (list.cursor, list.limit) = (cursor, limit)
    do {
      return try world.call(list, as: player, game: game)
    } catch let failure as Failure where failure.code == .factRequired {
      let demand = try FactDemand(decoding: failure.detail.array)
      #expect(demand.opcode == FetchProfile.opcode.rawValue && demand.keys.count <= limit)
      let facts = try demand.keys.map { key in
        let asked = PlayerID(reinterpreting: key)
        let profile = try world.call(
          FetchProfile(of: asked), as: player, game: game, kind: .service)
        return Fact(FetchProfile.self, at: asked, profile)
      }
      return try world.driver.call(list, as: player, facts: Facts(facts))
    }
  }

  private func recent(_ player: PlayerID) throws -> [PlayerID] {
    try page(of: player).players.map(\.profile.player)
  }

  @Test("2.9 recent players are told newest first, each once, however late the news come")
  func order() throws {
    let players = try (1...5).map { try world.player($0) }
    let anna = players[0]
    try meet(anna, [players[1], players[2]], at: 100)
    try meet(anna, [players[3], anna], at: 300)
    try meet(anna, [players[1]], at: 200)
    // Old news of one who was met again, and of a new one.
    try meet(anna, [players[1], players[4]], at: 50)
    try world.restart()
    let page = try page(of: anna)
    #expect(
      page.players.map(\.profile.player) == [players[3], players[1], players[2], players[4]])
    #expect(page.players.map(\.time) == [300, 200, 100, 50] && page.cursor.isEmpty)
    #expect(page.players[0].profile.displayName == "Player 4")
    #expect(try recent(players[1]).isEmpty, "each hears of it by an effect of the own")
    let other = try world.call(ListRecentPlayers(), as: players[1], game: "other")
    #expect(other.players.isEmpty)
  }

  @Test("2.9 the recent players that are kept are bounded, and paged")
  func bounds() throws {
    let anna = try world.player(1)
    let others = try (2...131).map { try world.player($0) }
    for (place, other) in others.enumerated() { try meet(anna, [other], at: Int64(place / 7)) }
    var (cursor, seen, pages) = ("", [PlayerID](), 0)
    repeat {
      let page = try page(of: anna, cursor: cursor, limit: 30)
      seen += page.players.map(\.profile.player)
      (cursor, pages) = (page.cursor, pages + 1)
    } while !cursor.isEmpty
    #expect(seen.count == RecentPlayerLimits.keptMax && Set(seen).count == seen.count)
    #expect(pages == 4)
    let oldest = Set(others[..<28])
    #expect(seen.allSatisfy { !oldest.contains($0) })
    #expect(world.driver.rows[35]?.count == 1)

    var list = ListRecentPlayers()
    for limit in [0, UInt32(RecentPlayerLimits.pageMax) + 1] {
      list.limit = limit
      let failure = try failure { try world.driver.call(list, as: anna) }
      #expect(failure?.code == .invalidArgument && failure?.argument == "limit")
    }
    list.limit = 5
    list.cursor = "nonsense"
    #expect(try failure { try world.driver.call(list, as: anna) }?.argument == "cursor")
  }

  @Test("2.9 recent players leave out who blocks, who is blocked and who is gone")
  func blocks() throws {
    let players = try (1...4).map { try world.player($0) }
    let anna = players[0]
    try meet(anna, [players[1], players[2], players[3], .sample(99)], at: 100)
    try world.driver.call(BlockPlayer(anna), as: players[1])
    try world.driver.call(BlockPlayer(players[2]), as: anna)
    #expect(try recent(anna) == [players[3]])
    // A block holds for news, too: they are not kept.
    try meet(anna, [players[2]], at: 900)
    try world.driver.call(UnblockPlayer(players[2]), as: anna)
    #expect(try page(of: anna).players.map(\.time) == [100, 100])
    try meet(.sample(98), [anna], at: 100)
    #expect(world.driver.rows[35]?.count == 1, "nobody's")
  }
}
