import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// Friends of friends, and invitations of whole lists.
@Suite struct SuggestionTests {
  let world = World(settings: [.invitationBurst: 1_000_000])

  /// Makes a call as a gateway does, with the facts that it is asked for. Returns who was asked in
  /// each round as well.
  private func suggest(_ player: PlayerID, round: UInt32 = 0) throws
    -> (suggestions: [FriendSuggestion], asked: [[PlayerID]])
  {
    var operation = SuggestFriends()
    operation.round = round
    var facts = Facts()
    var asked: [[PlayerID]] = []
    while true {
      do {
        let reply = try world.driver.call(operation, as: player, facts: facts)
        return (reply.suggestions, asked)
      } catch let failure as Failure where failure.code == .factRequired {
        let demand = try FactDemand(decoding: failure.detail.array)
        asked.append(demand.keys.map { PlayerID(reinterpreting: $0) })
        for key in demand.keys { facts.all.append(try fact(demand.opcode, key, for: player)) }
      }
    }
  }

  private func fact(_ opcode: UInt16, _ key: RoutingKey, for caller: PlayerID) throws -> Fact {
    let player = PlayerID(reinterpreting: key)
    if opcode == FetchProfile.opcode.rawValue {
      let profile = try world.driver.call(FetchProfile(of: player), as: caller, kind: .service)
      return Fact(FetchProfile.self, at: player, profile)
    }
    let reply = try world.driver.call(FetchFriendSample(of: player), as: caller, kind: .service)
    #expect(reply.friends.count <= FriendLimits.sampleMax && !reply.friends.contains(caller))
    return Fact(FetchFriendSample.self, at: player, reply)
  }

  @Test("2.9 friends of friends are suggested, those first whom most friends know")
  func order() throws {
    let players = try (1...8).map { try world.player($0) }
    let anna = players[0]
    for friend in [1, 2, 3] { try world.befriend(anna, players[friend]) }
    for (one, other) in [(1, 4), (2, 4), (3, 4), (1, 5), (2, 5), (1, 6), (1, 2)] {
      try world.befriend(players[one], players[other])
    }
    let (suggestions, asked) = try suggest(anna)
    #expect(suggestions.map(\.profile.player) == [players[4], players[5], players[6]])
    #expect(suggestions.map(\.mutualFriends) == [3, 2, 1])
    #expect(suggestions[0].profile.displayName == "Player 5" && asked.map(\.count) == [3, 3])
    #expect(try suggest(players[7]).suggestions.isEmpty)
  }

  @Test("2.9 who blocks, is blocked, is invited or has invited is no suggestion")
  func leftOut() throws {
    let players = try (1...7).map { try world.player($0) }
    let (anna, ben) = (players[0], players[1])
    try world.befriend(anna, ben)
    for other in players[2...] { try world.befriend(ben, other) }
    try world.driver.call(BlockPlayer(anna), as: players[2])
    try world.driver.call(BlockPlayer(players[3]), as: anna)
    try world.driver.call(InviteFriend(players[4]), as: anna)
    try world.driver.call(InviteFriend(anna), as: players[5])
    try world.driver.deliverOwnEffects()
    #expect(try suggest(anna).suggestions.map(\.profile.player) == [players[6]])
    // A friend who has blocked names nobody, also before the news of it have come.
    try world.driver.call(BlockPlayer(anna), as: ben)
    #expect(try suggest(anna).suggestions.isEmpty)
    let stranger = try world.driver.call(
      FetchFriendSample(of: ben), as: players[6], kind: .service)
    #expect(!stranger.friends.isEmpty, "a friend of ben's")
    let none = try world.driver.call(FetchFriendSample(of: players[6]), as: anna, kind: .service)
    #expect(none.friends.isEmpty, "anna is no friend of theirs")
  }

  @Test("2.9 a player with 5,000 friends is fine: lists, counts and suggestions, in bounded work")
  func manyFriends() throws {
    let anna = try world.player(1)
    let count = UInt64(FriendLimits.friendsMax)
    #expect(count == 5000)
    // The longest names that there are.
    let name = String(repeating: "🎲", count: ProfileLimits.displayNameCharactersMax)
    #expect(name.utf8.count == ProfileLimits.displayNameBytesMax)
    for number in 2..<(count + 2) { try addFriend(.sample(number), of: anna, name: name) }
    world.driver.effects = []
    #expect(try world.mutualFriends(of: anna).count == 5000)
    let over = try failure { try world.driver.call(InviteFriend(.sample(9000)), as: anna) }
    #expect(over?.code == .limitReached)

    var (list, seen) = (ListFriends(), [PlayerID]())
    repeat {
      let reply = try world.driver.call(list, as: anna)
      #expect(reply.encoded.count < StreamLimits.pageBytesMax)
      seen += reply.friends.map(\.player)
      list.cursor = reply.cursor
    } while !list.cursor.isEmpty
    #expect(seen.count == 5000 && seen == seen.sorted())

    let first = try suggest(anna)
    let second = try suggest(anna, round: 1)
    #expect(first.asked.map(\.count) == [64] && second.asked.map(\.count) == [64])
    #expect(Set(first.asked[0]).isDisjoint(with: second.asked[0]))
    let last = try suggest(anna, round: 78)
    #expect(last.asked[0].contains(.sample(count + 1)), "all rounds together ask everybody")
    // From memory alone, the same after a restart.
    try world.restart()
    #expect(try world.mutualFriends(of: anna).count == 5000)
    let still = try failure { try world.driver.call(InviteFriend(.sample(9000)), as: anna) }
    #expect(still?.code == .limitReached)
    try world.driver.call(RemoveFriend(.sample(77)), as: anna)
    #expect(try world.driver.call(InviteFriend(.sample(9000)), as: anna).state == .invited)
  }

  /// Makes a friendship on one side alone: the other's wish is there first.
  private func addFriend(_ friend: PlayerID, of player: PlayerID, name: String = "") throws {
    var news = FriendEdgeChanged()
    (news.player, news.friend, news.wished) = (player, friend, world.driver.clock)
    news.displayName = name
    try world.call(news, as: PlayerID(), game: "", kind: .service)
    try world.driver.call(InviteFriend(friend), as: player)
  }

  @Test("2.9 whom most friends know comes first, also where each friend names a few of many")
  func samples() throws {
    var random = ProfileTests.SplitMix(7)
    func registered() throws -> PlayerID {
      let player = PlayerID(high: random.next(), low: random.next())
      try world.driver.call(world.registration(player), as: player, kind: .service)
      return player
    }
    let anna = try registered()
    let known = try (0..<200).map { _ in try registered() }
    for _ in 0..<4 {
      let friend = try registered()
      try world.befriend(anna, friend)
      let own = try (0..<100).map { _ in try registered() }
      for other in known + own { try addFriend(other, of: friend) }
      world.driver.effects = []
    }
    var days: Set<[PlayerID]> = []
    for _ in 0..<3 {
      let (suggestions, asked) = try suggest(anna)
      #expect(asked.map(\.count) == [4, FriendLimits.candidatesMax])
      #expect(suggestions.count == FriendLimits.suggestionsMax)
      // Of the 64 that each names two thirds are known to all, and all name those.
      #expect(suggestions.allSatisfy { $0.mutualFriends == 4 })
      #expect(suggestions.allSatisfy { known.contains($0.profile.player) })
      #expect(try suggest(anna).suggestions == suggestions, "the same for a day")
      days.insert(suggestions.map(\.profile.player).sorted())
      world.driver.clock += World.day
    }
    #expect(days.count == 3, "each day has others")
  }

  @Test("2.9 a list of players is invited, and each says what became of it")
  func invitedList() throws {
    let players = try (1...6).map { try world.player($0) }
    let anna = players[0]
    try world.befriend(anna, players[1])
    try world.driver.call(InviteFriend(anna), as: players[2])
    try world.driver.deliverOwnEffects()
    try world.driver.call(BlockPlayer(players[3]), as: anna)
    try world.driver.call(BlockPlayer(anna), as: players[4])
    let list = Array(players[1...]) + [anna, .sample(99), players[5], PlayerID()]
    for round in 0..<2 {
      let outcomes = try world.driver.call(InviteFriends(list), as: anna).outcomes
      #expect(outcomes.map(\.player) == Array(players[1...]) + [anna, .sample(99), PlayerID()])
      #expect(
        outcomes.map(\.state) == [
          .friends, .friends, .blocked, .invited, .invited, .none, .invited, .none,
        ], "round \(round)")
      #expect(
        outcomes.map(\.refusal) == [
          nil, nil, .conflict, nil, nil, .invalidArgument, nil, .invalidArgument,
        ])
      try world.driver.deliverOwnEffects()
    }
    #expect(try world.events(FriendInvitation.self, of: players[5]).map(\.player) == [anna])
    #expect(try world.stream(of: players[4]).isEmpty)
  }

  @Test("2.10 a list of invitations is bounded, and takes from the budget of each single one")
  func budget() throws {
    let world = World(settings: [.invitationBurst: 3, .invitationRefill: 60])
    let anna = try world.player(1)
    let list = (10...15).map { PlayerID.sample($0) }
    let outcomes = try world.driver.call(InviteFriends(list), as: anna).outcomes
    #expect(outcomes.map(\.refusal) == [nil, nil, nil, .rateLimited, .rateLimited, .rateLimited])
    #expect(outcomes[3].state == .none && outcomes[3].retryAfterMilliseconds == 60_000)
    world.driver.clock += 60_000
    let again = try world.driver.call(InviteFriends(list), as: anna).outcomes
    #expect(again.map(\.refusal) == [nil, nil, nil, nil, .rateLimited, .rateLimited])
    for count in [0, FriendLimits.importMax + 1] {
      let many = (0..<count).map { PlayerID.sample(UInt64(100 + $0)) }
      let failure = try failure { try world.driver.call(InviteFriends(many), as: anna) }
      #expect(failure?.code == .invalidArgument && failure?.argument == "players")
    }
  }
}
