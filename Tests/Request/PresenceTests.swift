import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Who is told that a player has come or gone.
@Suite struct PresenceTests {
  let world = World()
  private let gone = PresenceLimits.goneMilliseconds

  /// Two friends who have no connection, and a stranger.
  private func players() throws -> (anna: PlayerID, ben: PlayerID, cleo: PlayerID) {
    let players = (try world.player(1), try world.player(2), try world.player(3))
    try world.befriend(players.0, players.1)
    world.driver.pass(PresenceLimits.newFriendMilliseconds)
    world.driver.hints = []
    return players
  }

  /// The hints since the last look, when the timers that are due have been served.
  private func told() throws -> [String] {
    world.driver.pass(0)
    #expect(world.driver.hints.allSatisfy { $0.game.isEmpty })
    return try world.driver.takeHints(PresenceChanged.self).map {
      "\($0.player.low): \($0.event.player.low) \($0.event.presence)"
    }
  }

  private func shows(_ isShown: Bool, _ player: PlayerID) throws {
    var set = SetProfile()
    (set.displayName, set.showsPresence) = ("Anna", isShown)
    try world.driver.call(set, as: player)
  }

  /// What `viewer` reads of a player, in one call for profiles.
  private func presence(of player: PlayerID, for viewer: PlayerID) throws -> Presence {
    let fact = try world.driver.call(FetchProfile(of: player), as: viewer, kind: .service)
    return try world.driver.call(
      GetProfiles(of: [player]), as: viewer,
      facts: Facts([Fact(FetchProfile.self, at: player, fact)])
    ).profiles[0].presence
  }

  @Test("2.9 friends are told when the first connection opens and the last one is gone for good")
  func comesAndGoes() throws {
    let (anna, _, _) = try players()
    try world.open(anna, session: 1)
    #expect(try told() == ["2: 1 online"])
    try world.open(anna, session: 2, game: "other")
    world.driver.close(session: 1)
    world.driver.pass(2 * gone)
    #expect(try told().isEmpty)
    world.driver.close(session: 2)
    world.driver.pass(gone - 1)
    #expect(try told().isEmpty)
    world.driver.pass(1)
    #expect(try told() == ["2: 1 offline"])
  }

  @Test("2.9 a reconnect tells nothing")
  func reconnect() throws {
    let (anna, _, _) = try players()
    try world.open(anna, session: 1)
    #expect(try told() == ["2: 1 online"])
    for session in UInt64(2)...5 {
      world.driver.close(session: session - 1)
      world.driver.pass(gone - 1)
      try world.open(anna, session: session)
      world.driver.pass(3 * gone)
    }
    #expect(try told().isEmpty)
    let rows = world.driver.rows[7]?.count ?? 0
    world.driver.close(session: 5)
    #expect(world.driver.engine.nextTimerDue == world.driver.clock + gone)
    #expect(world.driver.rows[7]?.count ?? 0 == rows, "a timer that is set has no row")
    world.driver.pass(gone)
    #expect(try told() == ["2: 1 offline"])
  }

  @Test("2.9 the truth of presence can be read by friends alone, and blocks end it both ways")
  func truth() throws {
    let (anna, ben, cleo) = try players()
    #expect(try presence(of: anna, for: ben) == .offline)
    try world.open(anna, session: 1)
    #expect(try presence(of: anna, for: ben) == .online)
    #expect(try world.driver.call(GetProfile(anna), as: ben).presence == .online)
    #expect(try presence(of: anna, for: cleo) == .none)
    #expect(try presence(of: anna, for: anna) == .none)
    try world.driver.call(InviteFriend(anna), as: cleo)
    try world.driver.deliverOwnEffects()
    #expect(try presence(of: anna, for: cleo) == .none && presence(of: cleo, for: anna) == .none)
    // The news of the block are still under way.
    try world.driver.call(BlockPlayer(anna), as: ben)
    #expect(try presence(of: anna, for: ben) == .none && presence(of: ben, for: anna) == .none)
  }

  @Test("2.9 no hint of presence passes a block, whoever made it and whatever the other has heard")
  func blocks() throws {
    let (anna, ben, cleo) = try players()
    try world.befriend(anna, cleo)
    try world.driver.call(BlockPlayer(ben), as: anna)
    try world.driver.call(BlockPlayer(anna), as: cleo)
    // Neither has heard. Who blocks tells nothing; to the other's blocker the hint goes out...
    try world.open(anna, session: 1)
    #expect(try told() == ["3: 1 online"])
    // ... and is not passed on.
    for (player, count) in [(cleo, 0), (ben, 0)] {
      try world.open(player, session: 10 + player.low)
      var hint = DeliverHint()
      (hint.player, hint.kind) = (player, PresenceChanged.opcode.rawValue)
      var event = PresenceChanged()
      (event.player, event.presence) = (anna, .online)
      hint.body = Bytes(event.encoded)
      if player == ben { try world.driver.deliverOwnEffects() }
      try world.call(hint, as: PlayerID(), game: "", kind: .service)
      #expect(try world.driver.takePushes(HintEvent.self).count == count)
    }
    // A friend's is.
    try world.befriend(ben, cleo)
    var hint = DeliverHint()
    (hint.player, hint.kind) = (cleo, PresenceChanged.opcode.rawValue)
    var event = PresenceChanged()
    event.player = ben
    hint.body = Bytes(event.encoded)
    try world.call(hint, as: PlayerID(), game: "", kind: .service)
    #expect(try world.driver.takePushes(HintEvent.self).map(\.session) == [13])
  }

  @Test("2.9 who does not show presence looks offline, at once and for as long as it is so")
  func hidden() throws {
    let (anna, ben, _) = try players()
    try world.open(anna, session: 1)
    #expect(try told() == ["2: 1 online"])
    world.driver.pass(PresenceLimits.againMilliseconds)
    try shows(false, anna)
    #expect(try told() == ["2: 1 offline"] && presence(of: anna, for: ben) == .offline)
    try world.open(anna, session: 2)
    world.driver.close(session: 1)
    world.driver.close(session: 2)
    world.driver.pass(PresenceLimits.againMilliseconds)
    try world.open(anna, session: 3)
    #expect(try told().isEmpty && presence(of: anna, for: ben) == .offline)
    try shows(true, anna)
    #expect(try told() == ["2: 1 online"] && presence(of: anna, for: ben) == .online)
  }

  @Test("2.9 who comes back after a restart is told again: friends may have read meanwhile")
  func restart() throws {
    let (anna, ben, _) = try players()
    try world.open(anna, session: 1)
    #expect(try told() == ["2: 1 online"])
    try world.restart()
    #expect(try presence(of: anna, for: ben) == .offline)
    try world.open(anna, session: 2)
    #expect(try told() == ["2: 1 online"] && presence(of: anna, for: ben) == .online)
  }

  @Test("2.9 who comes and goes, or hides it, is told of once in a while, the end at last")
  func flapping() throws {
    let (anna, _, _) = try players()
    try world.open(anna, session: 1)
    #expect(try told() == ["2: 1 online"])
    let began = world.driver.clock
    var count = 0
    for round in 0..<200 {
      try shows(round % 2 == 1, anna)
      world.driver.pass(round % 7 == 0 ? 1_000 : 100)
      count += try told().count
    }
    let passed = world.driver.clock - began
    #expect(count <= passed / PresenceLimits.againMilliseconds && count > 0)
    try shows(false, anna)
    world.driver.pass(PresenceLimits.againMilliseconds)
    try shows(true, anna)
    world.driver.pass(PresenceLimits.againMilliseconds)
    #expect(try told().last == "2: 1 online")
    try shows(false, anna)
    world.driver.pass(PresenceLimits.againMilliseconds)
    #expect(try told() == ["2: 1 offline"])
  }

  @Test("6.5 friends who come and go take no room from other hints")
  func ownBudget() throws {
    let (anna, ben, _) = try players()
    try world.open(ben, session: 7)
    var event = PresenceChanged()
    event.player = anna
    var hint = DeliverHint()
    (hint.player, hint.kind) = (ben, PresenceChanged.opcode.rawValue)
    hint.body = Bytes(event.encoded)
    for _ in 0..<HintLimits.burst {
      try world.call(hint, as: PlayerID(), game: "", kind: .service)
    }
    // The next one waits.
    try world.call(hint, as: PlayerID(), game: "", kind: .service)
    (hint.kind, hint.body) = (0x03C0, Bytes([1]))
    for _ in 0..<HintLimits.burst {
      try world.call(hint, as: PlayerID(), game: "game", kind: .service)
    }
    #expect(try world.driver.takePushes(HintEvent.self).count == 2 * Int(HintLimits.burst))
  }

  @Test("2.9 who become friends are told of each other, when both sides know of it")
  func newFriends() throws {
    let (anna, ben, cleo) = try players()
    try world.open(anna, session: 1)
    try world.open(cleo, session: 3)
    _ = try told()
    try world.driver.call(InviteFriend(cleo), as: anna)
    try world.driver.deliverOwnEffects()
    world.driver.pass(2 * PresenceLimits.newFriendMilliseconds)
    #expect(try told().isEmpty, "they are no friends yet")
    try world.driver.call(AnswerFriend(anna, accept: true), as: cleo)
    try world.driver.deliverOwnEffects()
    world.driver.pass(PresenceLimits.newFriendMilliseconds)
    let hints = world.driver.hints
    #expect(try told().sorted() == ["1: 3 online", "3: 1 online"])
    for hint in hints {
      var delivery = DeliverHint()
      (delivery.player, delivery.kind) = (hint.player, hint.kind.rawValue)
      delivery.body = Bytes(hint.body)
      try world.call(delivery, as: PlayerID(), game: "", kind: .service)
    }
    #expect(try Set(world.driver.takePushes(HintEvent.self).map(\.session)) == [1, 3])
    // A friendship that has ended before is told to nobody.
    try world.befriend(ben, cleo)
    try world.driver.call(BlockPlayer(cleo), as: ben)
    try world.driver.deliverOwnEffects()
    world.driver.pass(PresenceLimits.newFriendMilliseconds)
    #expect(try told().isEmpty)
  }

  @Test("2.9 many friends are told in bounded steps, and each of them once")
  func steps() throws {
    let anna = try world.player(1)
    let friends = try (2...UInt64(150)).map { number in
      let friend = try world.player(number)
      world.driver.clock += 100_000
      try world.befriend(anna, friend)
      return friend
    }
    world.driver.pass(PresenceLimits.newFriendMilliseconds)
    world.driver.hints = []
    try world.open(anna, session: 1)
    var counts: [Int] = []
    while let due = world.driver.engine.nextTimerDue, due < world.driver.clock + 1_000 {
      world.driver.clock = max(world.driver.clock, due)
      world.driver.runTimers(atMost: 1)
      let players = try world.driver.takeHints(PresenceChanged.self).map(\.player)
      #expect(players.allSatisfy(friends.contains))
      counts.append(players.count)
    }
    #expect(counts == [0, 64, 64, 21], "a look, and then steps")
    world.driver.pass(PresenceLimits.againMilliseconds)
    world.driver.close(session: 1)
    world.driver.pass(gone + 1_000)
    let told = try world.driver.takeHints(PresenceChanged.self)
    #expect(told.map(\.player) == friends && told.allSatisfy { $0.event.presence == .offline })
  }

  @Test("2.9 the list of friends comes in pages, with the presence and the name of now of friends")
  func pages() throws {
    let (anna, ben, cleo) = try players()
    try world.driver.call(InviteFriend(cleo), as: anna)
    try world.driver.call(BlockPlayer(.sample(4)), as: anna)
    try world.driver.deliverOwnEffects()
    try world.open(ben, session: 7)
    var set = SetProfile()
    (set.displayName, set.alias) = ("Benjamin", "Benni")
    try world.driver.call(set, as: ben)
    let photo = SamplePhoto.small
    try world.driver.call(PutPhotoPiece.pieces(of: photo, as: .small)[0], as: ben)

    var list = ListFriends()
    var seen: [Friend] = []
    list.limit = 1
    let fact = try world.driver.call(FetchProfile(of: ben), as: anna, kind: .service)
    repeat {
      let reply = try world.driver.call(
        list, as: anna, facts: Facts([Fact(FetchProfile.self, at: ben, fact)]))
      #expect(reply.friends.count == 1)
      seen += reply.friends
      list.cursor = reply.cursor
    } while !list.cursor.isEmpty
    #expect(seen.map(\.player) == [ben, cleo, .sample(4)])
    #expect(seen.map(\.state) == [.friends, .invited, .blocked])
    #expect(seen.map(\.presence) == [.online, .none, .none])
    #expect(seen[0].displayName == "Benjamin" && seen.map(\.alias) == ["Benni", "", ""])
    #expect(seen[0].smallPhoto == PhotoID(of: photo) && seen[0].normalPhoto.isNil)
    // All in one, without a question to anybody.
    let whole = try world.driver.call(ListFriends(), as: anna)
    #expect(whole.friends.map(\.player) == seen.map(\.player) && whole.cursor.isEmpty)
    #expect(whole.friends[0].presence == .none)

    list = ListFriends()
    list.limit = 101
    #expect(try failure { try world.driver.call(list, as: anna) }?.argument == "limit")
    list = ListFriends()
    list.cursor = "nonsense"
    #expect(try failure { try world.driver.call(list, as: anna) }?.argument == "cursor")
  }
}
