import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct FriendTests {
  let world = World()

  @Test("2.9 invite, accept, remove are mutual, also over a restart")
  func invitation() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    #expect(try world.driver.call(InviteFriend(ben), as: anna).state == .invited)
    try world.restart()
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: anna) == [ben: .invited])
    #expect(try world.friends(of: ben) == [anna: .received])
    let invitations = try world.events(FriendInvitation.self, of: ben)
    #expect(invitations.map(\.player) == [anna] && invitations[0].displayName == "Player 1")

    #expect(try world.driver.call(AnswerFriend(anna, accept: true), as: ben).state == .friends)
    try world.restart()
    try world.driver.deliverOwnEffects()
    #expect(try world.mutualFriends(of: anna) == [ben])
    #expect(try world.mutualFriends(of: ben) == [anna])
    #expect(try world.events(FriendAccepted.self, of: anna).map(\.player) == [ben])
    #expect(try world.events(FriendAccepted.self, of: ben).isEmpty)

    try world.driver.call(RemoveFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: anna).isEmpty)
    #expect(try world.friends(of: ben).isEmpty)
    try world.driver.call(RemoveFriend(ben), as: anna)
    #expect(world.driver.effects.isEmpty)
  }

  @Test("2.9 other services learn whom a player blocks, also after a restart")
  func blocks() throws {
    let (anna, ben, cleo) = (try world.player(1), try world.player(2), try world.player(3))
    for player in [ben, cleo] {
      var block = BlockPlayer()
      block.player = player
      try world.driver.call(block, as: anna)
    }
    #expect(try world.blocked(by: anna) == [ben, cleo].sorted())
    #expect(try world.blocked(by: ben).isEmpty)
    var unblock = UnblockPlayer()
    unblock.player = ben
    try world.driver.call(unblock, as: anna)
    try world.restart()
    #expect(try world.blocked(by: anna) == [cleo])
  }

  @Test("2.9 who never heard of an invitation, as before a backup, is a friend on both sides too")
  func unheardInvitation() throws {
    let (anna, ben) = (try world.player(1), PlayerID.sample(2))
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try world.player(2) == ben)
    #expect(try world.driver.call(InviteFriend(anna), as: ben).state == .invited)
    try world.driver.deliverOwnEffects()
    #expect(try world.mutualFriends(of: anna) == [ben])
    #expect(try world.mutualFriends(of: ben) == [anna])
    #expect(try world.events(FriendAccepted.self, of: anna).count == 1)
    #expect(try world.events(FriendAccepted.self, of: ben).count == 1)
  }

  @Test("2.9 declining tells nobody and leaves nothing")
  func decline() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(AnswerFriend(anna, accept: false), as: ben).state == .none)
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: anna).isEmpty)
    #expect(try world.friends(of: ben).isEmpty)
    #expect(try world.stream(of: anna).isEmpty)
    let again = try failure { try world.driver.call(AnswerFriend(anna, accept: true), as: ben) }
    #expect(again?.code == .notFound && again?.argument == "player")
  }

  @Test("2.9 an invitation that is not answered counts as declined after its lifetime")
  func expiry() throws {
    let world = World(settings: [.invitationLifetime: 3])
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    try world.restart()
    world.driver.clock += 3 * World.day - 1
    world.driver.runTimers()
    #expect(try world.friends(of: ben) == [anna: .received])
    world.driver.clock += 1
    world.driver.runTimers()
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: ben).isEmpty && world.friends(of: anna).isEmpty)
    #expect(try world.stream(of: anna).isEmpty)

    try world.befriend(anna, ben)
    world.driver.clock += 4 * World.day
    world.driver.runTimers()
    #expect(try world.mutualFriends(of: ben) == [anna], "one that was answered does not expire")
  }

  @Test("2.9 an invitation that expires looks the same whoever it was for")
  func expirySecrecy() throws {
    let (anna, ben, carl) = (try world.player(1), try world.player(2), try world.player(3))
    let nobody = PlayerID.sample(99)
    try world.driver.call(BlockPlayer(anna), as: ben)
    for other in [ben, carl, nobody] { try world.driver.call(InviteFriend(other), as: anna) }
    try world.driver.deliverOwnEffects()
    world.driver.clock += 60 * World.day - 1
    world.driver.runTimers()
    #expect(try world.friends(of: anna) == [ben: .invited, carl: .invited, nobody: .invited])
    world.driver.clock += 1
    world.driver.runTimers()
    #expect(try world.friends(of: anna).isEmpty && world.stream(of: anna).isEmpty)
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: carl).isEmpty && world.friends(of: ben) == [anna: .blocked])
    #expect(try world.friends(of: anna).isEmpty && world.stream(of: anna).isEmpty)
  }

  @Test(
    "2.9 an acceptance that crosses the expiry becomes an invitation, in either order",
    arguments: [-1, 0, 1] as [Int64], [false, true])
  func expiryRace(late: Int64, isReversed: Bool) throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    let date = world.driver.clock + 60 * World.day
    for accepts in late < 0 ? [true, false] : [false, true] {
      world.driver.clock = accepts ? date + late : max(date, world.driver.clock)
      if accepts {
        try world.driver.call(AnswerFriend(anna, accept: true), as: ben)
      } else {
        world.driver.runTimers()
      }
    }
    #expect(world.driver.effects.count == 2)
    if isReversed { world.driver.effects.reverse() }
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: anna) == [ben: .received])
    #expect(try world.friends(of: ben) == [anna: .invited])
    #expect(try world.events(FriendInvitation.self, of: anna).map(\.player) == [ben])
    try world.driver.call(AnswerFriend(ben, accept: true), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try world.mutualFriends(of: anna) == [ben])
    #expect(try world.mutualFriends(of: ben) == [anna])
  }

  @Test("2.9 a lifetime that was changed holds for open invitations too", arguments: [2, 10])
  func changedLifetime(days: Int) throws {
    let world = World(settings: [.invitationLifetime: 3])
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    try world.restart(settings: [.invitationLifetime: days])
    let end = world.driver.clock + Int64(days) * World.day
    while world.driver.clock < end {
      #expect(try world.friends(of: ben) == [anna: .received])
      world.driver.clock += World.day
      world.driver.runTimers()
      try world.driver.deliverOwnEffects()
    }
    #expect(try world.friends(of: ben).isEmpty && world.friends(of: anna).isEmpty)
  }

  @Test("7.2 what a peer sends to one key about another is refused")
  func foreignKey() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    var news = FriendEdgeChanged()
    (news.player, news.friend, news.ended) = (anna, ben, 5)
    let refused = try failure {
      try world.driver.call(
        news, as: anna, key: RoutingKey(reinterpreting: ben), kind: .service)
    }
    #expect(refused?.code == .malformed)
  }

  @Test("2.9 crossing invitations make friends in either order", arguments: [false, true])
  func crossing(isReversed: Bool) throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.call(InviteFriend(anna), as: ben)
    if isReversed { world.driver.effects.reverse() }
    try world.driver.deliverOwnEffects()
    #expect(try world.mutualFriends(of: anna) == [ben])
    #expect(try world.mutualFriends(of: ben) == [anna])
    #expect(try world.events(FriendAccepted.self, of: anna).count == 1)
    #expect(try world.events(FriendAccepted.self, of: ben).count == 1)
  }

  @Test("2.9 accepting while the other withdraws ends mutual", arguments: [false, true])
  func race(isReversed: Bool) throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    try world.driver.call(RemoveFriend(ben), as: anna)
    try world.driver.call(AnswerFriend(anna, accept: true), as: ben)
    if isReversed { world.driver.effects.reverse() }
    try world.driver.deliverOwnEffects()
    #expect(try world.mutualFriends(of: anna) == [])
    #expect(try world.mutualFriends(of: ben) == [])
  }

  @Test("2.9 blocked and unknown players look the same to who invites")
  func secrecy() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    let nobody = PlayerID.sample(99)
    try world.driver.call(BlockPlayer(anna), as: ben)
    #expect(try world.blockNews().count == 1 && world.driver.effects.isEmpty)
    for other in [ben, nobody] {
      #expect(try world.driver.call(InviteFriend(other), as: anna).state == .invited)
      #expect(try world.driver.deliverOwnEffects().isEmpty)
      let profile = try failure { try world.driver.call(GetProfile(other), as: anna) }
      #expect(profile?.code == .notReachable && profile?.text == "There is no such player.")
      #expect(try !world.isReachable(other, by: anna))
      let sent = try world.driver.call(SendRequest(to: [other]), as: anna)
      #expect(sent.recipients.map(\.outcome) == [.notReachable])
    }
    #expect(try world.isReachable(ben, by: PlayerID()), "a game's server, which nobody blocks")
    #expect(try world.isReachable(anna, by: ben) && !world.isReachable(nobody, by: PlayerID()))
    #expect(try world.friends(of: anna) == [ben: .invited, nobody: .invited])
    #expect(try world.friends(of: ben) == [anna: .blocked])
    #expect(try world.stream(of: ben).isEmpty && world.stream(of: anna).isEmpty)

    // What came while the block stood stays lost; a new invitation arrives.
    try world.driver.call(UnblockPlayer(anna), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(
      try world.friends(of: ben).isEmpty && world.events(FriendInvitation.self, of: ben).isEmpty)
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: ben) == [anna: .received])
  }

  @Test("2.9 a block ends the friendship on both sides without an event")
  func block() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    let before = try world.stream(of: anna).count
    #expect(try world.isFriend(ben, of: anna) && !world.isFriend(ben, of: .sample(9)))
    try world.driver.call(BlockPlayer(anna), as: ben)
    #expect(try !world.isFriend(ben, of: anna))
    try world.restart()
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: anna).isEmpty)
    #expect(try world.friends(of: ben) == [anna: .blocked])
    #expect(try world.stream(of: anna).count == before)
    let invite = try failure { try world.driver.call(InviteFriend(anna), as: ben) }
    #expect(invite?.code == .conflict)
    try world.driver.call(RemoveFriend(anna), as: ben)
    #expect(try world.friends(of: ben) == [anna: .blocked])
  }

  @Test("6.3 calls that challenge are given no friend whom either side has blocked")
  func blockedForChallenges() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    #expect(try world.mutualFriends(of: anna) == [ben] && world.mutualFriends(of: ben) == [anna])
    try world.driver.call(BlockPlayer(anna), as: ben)
    #expect(try world.mutualFriends(of: ben).isEmpty)
    try world.driver.deliverOwnEffects()
    #expect(try world.mutualFriends(of: anna).isEmpty)
  }

  @Test("2.9 nobody invites or blocks oneself")
  func oneself() throws {
    let anna = try world.player(1)
    for body in [
      { _ = try world.driver.call(InviteFriend(anna), as: anna) },
      { _ = try world.driver.call(BlockPlayer(anna), as: anna) },
      { _ = try world.driver.call(InviteFriend(PlayerID()), as: anna) },
    ] {
      let failure = try failure(body)
      #expect(failure?.code == .invalidArgument && failure?.argument == "player")
    }
  }

  @Test("2.9 friends and open invitations have a limit")
  func limit() throws {
    let anna = try world.player(1)
    for number in 0..<UInt64(FriendLimits.friendsMax) {
      world.driver.clock += 60_000
      try world.driver.call(InviteFriend(.sample(1000 + number)), as: anna)
    }
    world.driver.clock += 60_000
    let over = try failure { try world.driver.call(InviteFriend(.sample(7)), as: anna) }
    #expect(over?.code == .limitReached)
    try world.driver.call(RemoveFriend(.sample(1000)), as: anna)
    #expect(try world.driver.call(InviteFriend(.sample(7)), as: anna).state == .invited)
  }

  @Test("2.9 invitations beyond the limit are turned down")
  func receivedLimit() throws {
    let anna = try world.player(1)
    for number in 0...UInt64(FriendLimits.receivedMax) {
      let other = try world.player(100 + number)
      try world.driver.call(InviteFriend(anna), as: other)
    }
    try world.driver.deliverOwnEffects()
    let received = try world.friends(of: anna)
    #expect(received.count == FriendLimits.receivedMax)
    let last = PlayerID.sample(100 + UInt64(FriendLimits.receivedMax))
    #expect(received[last] == nil)
    #expect(try world.friends(of: last).isEmpty)
    // Nothing is left that would keep the two apart later.
    world.driver.clock += 1
    try world.driver.call(InviteFriend(last), as: anna)
    try world.driver.deliverOwnEffects()
    try world.driver.call(AnswerFriend(anna, accept: true), as: last)
    try world.driver.deliverOwnEffects()
    #expect(try world.mutualFriends(of: anna) == [last])
    #expect(try world.mutualFriends(of: last) == [anna])
  }

  @Test("2.10 invitations have a budget, and a wait that is enough")
  func budget() throws {
    let anna = try world.player(1)
    for number in 0..<UInt64(world.driver.core.settings[.invitationBurst]) {
      try world.driver.call(InviteFriend(.sample(1000 + number)), as: anna)
    }
    let over = try failure { try world.driver.call(InviteFriend(.sample(7)), as: anna) }
    #expect(over?.code == .rateLimited && (over?.retryAfterMilliseconds ?? 0) > 0)
    world.driver.clock += Int64(over?.retryAfterMilliseconds ?? 0)
    #expect(try world.driver.call(InviteFriend(.sample(7)), as: anna).state == .invited)
  }

  @Test("2.9 a block of a stranger leaves nothing behind")
  func strangerBlock() throws {
    let anna = try world.player(1)
    try world.driver.call(BlockPlayer(.sample(5)), as: anna)
    #expect(world.driver.rows[20]?.count == 1)
    try world.driver.call(UnblockPlayer(.sample(5)), as: anna)
    #expect(world.driver.rows[20]?.count == 0)
    #expect(try world.blockNews().count == 2 && world.driver.effects.isEmpty)
  }

  @Test("2.9 each change of a block is told once to the contexts of whoever blocks, in all games")
  func blockNews() throws {
    let anna = try world.player(1)
    for _ in 0..<2 { try world.driver.call(BlockPlayer(.sample(5)), as: anna) }
    world.driver.clock += 7
    for _ in 0..<2 { try world.driver.call(UnblockPlayer(.sample(5)), as: anna) }
    let effects = world.driver.effects
    #expect(effects.map(\.game) == ["", ""])
    #expect(effects.allSatisfy { $0.routingKey == RoutingKey(reinterpreting: anna) })
    let news = try world.blockNews()
    #expect(news.map(\.isBlocked) == [true, false])
    #expect(news.allSatisfy { $0.player == anna && $0.other == .sample(5) })
    #expect(news.map(\.time) == [world.driver.clock - 7, world.driver.clock])
  }

  @Test("2.9 an edge that holds nothing is forgotten after a while")
  func forgotten() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    try world.driver.call(RemoveFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    let table: UInt16 = 20
    #expect(world.driver.rows[table]?.count == 2)
    try world.restart()
    world.driver.clock += 31 * World.day
    world.driver.runTimers()
    #expect(world.driver.rows[table]?.isEmpty == true)
    try world.befriend(anna, ben)
    #expect(try world.mutualFriends(of: anna) == [ben])
  }

  @Test("6.3 6.6 a challenge goes back to its board only between friends")
  func returnedChallenge() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    var challenge = ReturnScoreChallenge()
    challenge.key = RoutingKey(game: "game", name: "board")
    challenge.issuer = anna
    challenge.receiver = ben
    challenge.score = BeatingScore(value: 11, scoreTag: 7, attempt: 3)
    func pass() throws -> [ReturnScoreChallenge] {
      try world.driver.call(OfferReturnChallenge(challenge), as: anna, kind: .service)
      return try world.driver.takeEffects(ReturnScoreChallenge.self).map { key, passed in
        #expect(key == challenge.key)
        return passed
      }
    }
    #expect(try pass() == [])
    try world.driver.call(InviteFriend(ben), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try pass() == [])
    try world.driver.call(AnswerFriend(anna, accept: true), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(try pass() == [challenge])
    try world.driver.call(BlockPlayer(anna), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(try pass() == [])
  }
}
