import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Friends whom an operator brings from another system.
@Suite struct ImportFriendTests {
  let world = World()

  private func bring(
    _ player: PlayerID, _ friends: [ImportedFriend]
  ) throws -> [FriendInvitationOutcome] {
    try world.callWithFacts(
      ImportFriends(of: player, friends), as: PlayerID(), game: "", kind: .deploymentOperator
    ).outcomes
  }

  @Test("2.9 imported friends are mutual, and neither is told or asked, also over a restart")
  func quiet() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    let since = world.driver.clock - 1000 * World.day
    for _ in 1...2 {
      let outcomes = try bring(anna, [ImportedFriend(ben, since: since)])
      #expect(outcomes.map(\.state) == [.friends] && outcomes[0].refusal == nil)
      try world.restart()
      try world.driver.deliverOwnEffects()
    }
    #expect(try bring(ben, [ImportedFriend(anna, since: since)]).map(\.state) == [.friends])
    #expect(world.driver.effects.isEmpty, "the other side knows it")
    for (player, friend) in [(anna, ben), (ben, anna)] {
      #expect(try world.mutualFriends(of: player) == [friend])
      #expect(try world.events(FriendInvitation.self, of: player).isEmpty)
      #expect(try world.events(FriendAccepted.self, of: player).isEmpty)
      let list = try world.driver.call(ListFriends(), as: player).friends
      #expect(list.map(\.displayName) == ["Player \(friend.low)"])
    }
  }

  @Test("2.9 a friendship that has ended since is not brought back", arguments: [0, 1])
  func ended(_ side: Int) throws {
    let players = [try world.player(1), try world.player(2)]
    let since = world.driver.clock - World.day
    _ = try bring(players[0], [ImportedFriend(players[1], since: since)])
    try world.driver.deliverOwnEffects()
    try world.driver.call(RemoveFriend(players[1 - side]), as: players[side])
    // Also where the end is still under way to the other.
    for _ in 1...2 {
      _ = try bring(players[0], [ImportedFriend(players[1], since: since)])
      _ = try bring(players[1], [ImportedFriend(players[0], since: since)])
      try world.driver.deliverOwnEffects()
    }
    for player in players { #expect(try world.friends(of: player).isEmpty) }
    let outcomes = try bring(players[0], [ImportedFriend(players[1], since: since)])
    #expect(outcomes.map(\.state) == [.none])
  }

  @Test("2.9 an open invitation becomes the imported friendship")
  func invited() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    _ = try bring(ben, [ImportedFriend(anna, since: 1)])
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: anna) == [ben: .friends])
    #expect(try world.friends(of: ben) == [anna: .friends])
  }

  @Test("2.9 an imported block holds, and no import makes friends of a player who blocks")
  func blocks() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    let outcomes = try bring(anna, [ImportedFriend(ben, since: 5, isBlocked: true)])
    #expect(outcomes.map(\.state) == [.blocked])
    #expect(try world.blockNews().map(\.isBlocked) == [true], "contexts of the two close")
    try world.driver.deliverOwnEffects()
    #expect(try !world.isReachable(anna, by: ben))
    let refused = try bring(anna, [ImportedFriend(ben, since: 5)])
    #expect(refused.map(\.refusal) == [.conflict])
    _ = try bring(ben, [ImportedFriend(anna, since: 5)])
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: ben).isEmpty)
    #expect(try world.friends(of: anna) == [ben: .blocked])
  }

  @Test("2.9 what cannot be brought is told for each, and holds up no other")
  func refusals() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    let friends = [anna, PlayerID(), PlayerID.sample(9), ben].map { ImportedFriend($0, since: 5) }
    let outcomes = try bring(anna, friends)
    #expect(outcomes.map(\.player) == friends.map(\.player))
    #expect(
      outcomes.map(\.refusal) == [.invalidArgument, .invalidArgument, .notReachable, nil])
    func code(_ body: () throws -> Void) throws -> FailureCode? {
      do { try body() } catch let failure as Failure { return failure.code }
      return nil
    }
    #expect(try code { _ = try bring(PlayerID.sample(9), [friends[3]]) } == .notFound)
    #expect(try code { _ = try bring(anna, []) } == .invalidArgument)
    #expect(
      try code {
        _ = try bring(anna, Array(repeating: friends[3], count: FriendLimits.importMax + 1))
      } == .invalidArgument)
  }

  @Test("2.9 an import keeps to the bound of friends, on both sides")
  func bound() throws {
    let anna = try world.player(1)
    for page in 0..<FriendLimits.friendsMax / FriendLimits.importMax {
      let friends = try (0..<FriendLimits.importMax).map { place in
        ImportedFriend(
          try world.player(UInt64(10 + page * FriendLimits.importMax + place)), since: 5)
      }
      _ = try bring(anna, friends)
    }
    try world.driver.deliverOwnEffects()
    let (ben, cleo) = (try world.player(2), try world.player(3))
    let outcomes = try bring(anna, [ImportedFriend(ben, since: 5)])
    #expect(outcomes.map(\.refusal) == [.limitReached])
    _ = try bring(cleo, [ImportedFriend(anna, since: 5)])
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: cleo).isEmpty, "who had no room has told it")
    #expect(try world.mutualFriends(of: anna).count == FriendLimits.friendsMax)
  }
}
