import Operations
import RequestCore
import TestKit
import Testing
import Wire

/// The list of friends, invitations and blocks, which is kept in order and read page by page.
@Suite struct FriendListTests {
  /// All pages of so many.
  private func pages(of player: PlayerID, _ limit: UInt32, _ world: World) throws -> [Friend] {
    var (list, all) = (ListFriends(), [Friend]())
    list.limit = limit
    repeat {
      var facts = Facts()
      for friend in try world.mutualFriends(of: player) {
        let profile = try world.driver.call(FetchProfile(of: friend), as: player, kind: .service)
        facts.all.append(Fact(FetchProfile.self, at: friend, profile))
      }
      let reply = try world.driver.call(list, as: player, facts: facts)
      #expect(reply.friends.count <= limit)
      all += reply.friends
      list.cursor = reply.cursor
    } while !list.cursor.isEmpty
    return all
  }

  @Test("2.9 pages are the whole list, in order, as it is built anew", arguments: 1...4)
  func order(seed: Int) throws {
    let world = World()
    var random = ProfileTests.SplitMix(UInt64(seed))
    let players = try (1...9).map { try world.player($0) }
    for step in 1...240 {
      let (one, other) = (players[Int(random.next() % 9)], players[Int(random.next() % 9)])
      if one == other { continue }
      switch random.next() % 8 {
      case 0...3: _ = try failure { try world.driver.call(InviteFriend(other), as: one) }
      case 4: try world.driver.call(RemoveFriend(other), as: one)
      case 5: try world.driver.call(BlockPlayer(other), as: one)
      case 6: try world.driver.call(UnblockPlayer(other), as: one)
      default: try world.driver.deliverOwnEffects()
      }
      if step % 60 > 0 { continue }
      try world.driver.deliverOwnEffects()
      let before = try players.map { try pages(of: $0, 3, world) }
      try world.restart()
      for (player, list) in zip(players, before) {
        let whole = try world.driver.call(ListFriends(), as: player).friends
        #expect(whole.map(\.player) == list.map(\.player), "seed \(seed), step \(step)")
        #expect(whole.map(\.state) == list.map(\.state), "seed \(seed), step \(step)")
        #expect(whole.map(\.player) == whole.map(\.player).sorted())
        #expect(whole.allSatisfy { $0.state != .none })
      }
    }
  }
}
