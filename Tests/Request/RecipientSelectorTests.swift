import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct RecipientSelectorTests {
  let world = World()

  private func page(
    _ player: PlayerID, _ operation: SelectRecipients, asked: (Int) -> Void = { _ in }
  )
    throws -> SelectRecipients.Reply
  {
    try world.callWithFacts(operation, as: player, asked: asked)
  }

  private func all(_ player: PlayerID, _ prepare: (inout SelectRecipients) -> Void = { _ in })
    throws -> [RecipientChoice]
  {
    var operation = SelectRecipients()
    prepare(&operation)
    var choices: [RecipientChoice] = []
    repeat {
      let reply = try page(player, operation)
      #expect(reply.recipients.count <= Int(operation.limit))
      choices += reply.recipients
      operation.cursor = reply.cursor
    } while !operation.cursor.isEmpty
    return choices
  }

  /// A player without a session in the driver's game.
  private func nonUser(_ number: UInt64) throws -> PlayerID {
    let player = PlayerID.sample(number)
    try world.driver.call(world.registration(player), as: player, kind: .service)
    return player
  }

  @Test("2.3 the filter chooses whom the selector shows, with their profiles")
  func filters() throws {
    let (anna, ben, carl) = (try world.player(1), try world.player(2), try nonUser(3))
    for other in [ben, carl] { try world.befriend(anna, other) }
    _ = try world.player(4)
    let shown = try [RequestFilter.none, .appUsers, .appNonUsers, .everybody].map { filter in
      try all(anna) { $0.filters = filter }.map(\.profile.player)
    }
    #expect(shown == [[ben, carl], [ben], [carl], [ben, carl]])
    let choices = try all(anna)
    #expect(choices.map(\.profile.displayName) == ["Player 2", "Player 3"])
    #expect(choices.map(\.profile.isAppUser) == [true, false])
    #expect(choices.allSatisfy { $0.profile.isReachable && !$0.isSuggested && !$0.hasConsented })
  }

  @Test("2.3 suggested friends come first, in their order, each once and no stranger")
  func suggestions() throws {
    let players = try (1...9).map { try world.player($0) }
    for friend in players[1...6] { try world.befriend(players[0], friend) }
    let suggested = [players[5], players[8], players[2], players[5], players[0], .sample(77)]
    for limit in [UInt32(1), 2, 5, 50] {
      let choices = try all(players[0]) { ($0.recipientSuggestions, $0.limit) = (suggested, limit) }
      #expect(choices.map(\.profile.player) == [5, 2, 1, 3, 4, 6].map { players[$0] })
      #expect(choices.map(\.isSuggested) == [true, true, false, false, false, false])
    }
  }

  @Test("2.3 names of now are found by a part of them, whatever the case")
  func search() throws {
    let names = ["Anna", "Élodie", "Max Mustermann", "maximiliane", "Iris"]
    let players = try names.enumerated().map { index, name in
      try world.player(UInt64(index + 1), name: name)
    }
    for friend in players[1...] { try world.befriend(players[0], friend) }
    func found(_ text: String) throws -> [String] {
      try all(players[0]) { $0.search = text }.map(\.profile.displayName)
    }
    #expect(try found("MAX") == ["Max Mustermann", "maximiliane"])
    #expect(try found("muster") == ["Max Mustermann"])
    #expect(try found("e\u{301}lo") == ["Élodie"])
    #expect(try found("nobody").isEmpty && found("").count == 4)
    var profile = SetProfile()
    (profile.displayName, profile.alias) = ("Renamed", "Stargazer")
    try world.driver.call(profile, as: players[4])
    #expect(try found("iris").isEmpty && found("star") == ["Renamed"])
  }

  @Test("2.3 2.9 blocked, erased and former friends are not shown, from when it was acknowledged")
  func blocks() throws {
    let players = try (1...5).map { try world.player($0) }
    for friend in players[1...] { try world.befriend(players[0], friend) }
    try world.driver.call(BlockPlayer(players[0]), as: players[1])
    try world.driver.call(BlockPlayer(players[2]), as: players[0])
    try world.driver.call(RemoveFriend(players[3]), as: players[0])
    #expect(try all(players[0]).map(\.profile.player) == [players[4]])
    try world.driver.deliverOwnEffects()
    #expect(
      try all(players[0]) { $0.recipientSuggestions = Array(players[1...3]) }
        .map(\.profile.player) == [players[4]])
  }

  @Test("2.6 the selector says who needs no dialog")
  func consents() throws {
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    try world.driver.call(GrantConsent(to: anna), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(try all(anna).map(\.hasConsented) == [true])
    #expect(try all(ben).map(\.hasConsented) == [false])
  }

  @Test("2.3 5,000 friends cost a bounded number of questions a page, which others cannot move")
  func manyFriends() throws {
    let anna = try world.player(1)
    let count = UInt64(FriendLimits.friendsMax)
    for number in 2..<(count + 2) {
      var news = FriendEdgeChanged()
      (news.player, news.friend, news.wished) = (anna, .sample(number), world.driver.clock)
      try world.call(news, as: PlayerID(), game: "", kind: .service)
      try world.call(InviteFriend(.sample(number)), as: anna, game: "game")
    }
    world.driver.effects = []
    // Every hundredth is there, the others were erased.
    let there = try stride(from: 100, to: count + 2, by: 100).map { number in
      let player = try nonUser(number)
      var news = FriendEdgeChanged()
      (news.player, news.friend, news.wished) = (player, anna, world.driver.clock)
      try world.call(news, as: PlayerID(), game: "", kind: .service)
      try world.call(InviteFriend(anna), as: player, game: "game")
      return player
    }
    world.driver.effects = []
    var operation = SelectRecipients()
    (operation.filters, operation.limit) = (.appNonUsers, 50)
    var (asked, seen, pages) = ([Int](), [PlayerID](), 0)
    repeat {
      let reply = try page(anna, operation) { asked.append($0) }
      seen += reply.recipients.map(\.profile.player)
      operation.cursor = reply.cursor
      pages += 1
      // A friend who goes, before or behind the cursor, moves no other.
      if pages == 10 { try world.driver.call(RemoveFriend(.sample(2)), as: anna) }
      if pages == 20 { try world.driver.call(RemoveFriend(there[49]), as: anna) }
    } while !operation.cursor.isEmpty
    #expect(seen == there.sorted().filter { $0 != there[49] })
    #expect(asked.allSatisfy { $0 <= SelectorLimits.askedMax } && pages <= 51)
    asked = []
    (operation, operation.limit) = (SelectRecipients(), 10)
    let first = try page(anna, operation) { asked.append($0) }
    #expect(asked == [10] && first.recipients.isEmpty && !first.cursor.isEmpty)
  }

  @Test("2.10 2.3 whoever reads many pages in a row has to wait, and asks no friend meanwhile")
  func budget() throws {
    let world = World(settings: [.selectBurst: 2, .selectRefill: 5])
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    var asked = 0
    func page(as player: PlayerID) throws -> Failure? {
      try failure { try world.callWithFacts(SelectRecipients(), as: player) { asked += $0 } }
    }
    for _ in 0..<2 { #expect(try page(as: anna) == nil) }
    #expect(asked == 2)
    let over = try page(as: anna)
    #expect(over?.code == .rateLimited && over?.retryAfterMilliseconds == 5_000 && asked == 2)
    #expect(try page(as: ben) == nil, "each has a budget")
    world.driver.clock += 5_000
    #expect(try page(as: anna) == nil && page(as: anna)?.code == .rateLimited)
  }

  @Test("2.2 2.3 what the selector cannot show is refused, by name")
  func refusals() throws {
    let anna = try world.player(1)
    func argument(_ change: (inout SelectRecipients) -> Void) throws -> String? {
      var operation = SelectRecipients()
      change(&operation)
      let failure = try failure { _ = try page(anna, operation) }
      #expect(failure?.code == .invalidArgument)
      return failure?.argument
    }
    let many = (0...UInt64(RequestLimits.suggestionsMax)).map { PlayerID.sample($0 + 5) }
    #expect(
      try argument { ($0.filters, $0.recipientSuggestions) = (.appUsers, [anna]) }
        == "recipientSuggestions")
    #expect(try argument { $0.recipientSuggestions = many } == "recipientSuggestions")
    #expect(try argument { $0.filters = RequestFilter(rawValue: 9) } == "filters")
    #expect(try argument { $0.search = String(repeating: "x", count: 161) } == "search")
    #expect(try argument { $0.limit = 0 } == "limit")
    #expect(try argument { $0.limit = 51 } == "limit")
    #expect(try argument { $0.cursor = "x" } == "cursor")
  }
}
