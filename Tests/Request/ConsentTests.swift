import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct ConsentTests {
  let world = World()
  let anna: PlayerID
  let ben: PlayerID
  let carl: PlayerID

  init() throws {
    anna = try world.player(1)
    ben = try world.player(2)
    carl = try world.player(3)
    try world.befriend(anna, ben)
    try world.befriend(anna, carl)
  }

  private func frictionless(_ recipients: [PlayerID]) -> SendRequest {
    var request = SendRequest(to: recipients)
    request.isFrictionless = true
    return request
  }

  private func refusal(_ recipients: [PlayerID], asked: (Int) -> Void = { _ in }) throws
    -> Failure?
  {
    try failure {
      try world.callWithFacts(frictionless(recipients), as: anna, asked: asked)
    }
  }

  private func consents(of player: PlayerID, game: String = "game") throws -> [Consent] {
    try world.call(ListConsents(), as: player, game: game).consents
  }

  private func grant(_ recipient: PlayerID, to sender: PlayerID) throws {
    try world.driver.call(GrantConsent(to: sender), as: recipient)
    try world.driver.deliverOwnEffects()
  }

  @Test("2.6 a send needs no dialog only when every recipient has agreed")
  func everyRecipient() throws {
    #expect(try refusal([ben])?.code == .conflict)
    try grant(ben, to: anna)
    #expect(try refusal([ben]) == nil)
    let partly = try refusal([ben, carl])
    #expect(partly?.code == .conflict && partly?.argument == "recipients")
    try grant(carl, to: anna)
    var asked: [Int] = []
    #expect(try refusal([ben, carl, ben]) { asked.append($0) } == nil)
    #expect(asked == [2], "both side by side")
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 2)
    #expect(try world.driver.call(Inbox(), as: carl).requests.count == 1, "none of the refused")
  }

  @Test("2.6 an empty list never counts, nor do tokens and texts that are no players'")
  func notPlayers() throws {
    try grant(ben, to: anna)
    #expect(try refusal([])?.code == .requiredArgument)
    let token = try world.driver.call(CreateInviteTokens(count: 1), as: anna).tokens[0].token
    for text in [token, "nobody"] {
      var request = frictionless([])
      request.recipients = [text]
      #expect(try failure { try world.callWithFacts(request, as: anna) }?.code == .conflict)
      request.recipients = [ben.description, text]
      #expect(try failure { try world.callWithFacts(request, as: anna) }?.code == .conflict)
    }
  }

  @Test("2.6 a consent is of one sender, one recipient and one game")
  func oneWay() throws {
    try grant(ben, to: anna)
    #expect(
      try failure { try world.callWithFacts(frictionless([anna]), as: ben) }?.code == .conflict)
    for player in [anna, ben] { try world.open(player, game: "other") }
    let elsewhere = try failure {
      try world.callWithFacts(frictionless([ben]), as: anna, game: "other")
    }
    #expect(elsewhere?.code == .conflict)
    #expect(try consents(of: anna, game: "other").isEmpty)
    var held = Consent()
    (held.player, held.isHeld) = (ben, true)
    #expect(try consents(of: anna) == [held])
    var given = Consent()
    (given.player, given.isGiven) = (anna, true)
    #expect(try consents(of: ben) == [given])
    #expect(try consents(of: carl).isEmpty)
  }

  @Test(
    "2.6 either side revokes it, and both are told on all of their devices",
    arguments: [true, false])
  func revoke(bySender: Bool) throws {
    try grant(ben, to: anna)
    let (one, other) = bySender ? (anna, ben) : (ben, anna)
    try world.driver.call(RevokeConsent(other, isHeld: bySender), as: one)
    // It holds from when it was acknowledged, before the other side has heard of it.
    #expect(try refusal([ben])?.code == .conflict)
    try world.driver.deliverOwnEffects()
    try world.restart()
    #expect(try refusal([ben])?.code == .conflict)
    for player in [anna, ben] {
      #expect(try consents(of: player).isEmpty)
      let told = try world.events(ConsentChanged.self, of: player)
      #expect(told.map(\.isGiven) == [true, false])
      #expect(told.allSatisfy { $0.sender == anna && $0.recipient == ben })
    }
    // Again changes nothing, and it can be given again.
    try world.driver.deliverOwnEffects()
    try world.driver.call(RevokeConsent(other, isHeld: bySender), as: one)
    #expect(world.driver.effects.isEmpty)
    try grant(ben, to: anna)
    #expect(try refusal([ben]) == nil)
    try world.driver.deliverOwnEffects()
    try world.driver.call(GrantConsent(to: anna), as: ben)
    #expect(world.driver.effects.isEmpty, "it was given already")
  }

  @Test("2.6 2.9 it ends with the friendship and by a block, and a new friendship begins without")
  func friendship() throws {
    for end in [0, 1] {
      try grant(ben, to: anna)
      if end == 0 {
        try world.driver.call(RemoveFriend(anna), as: ben)
      } else {
        try world.driver.call(BlockPlayer(anna), as: ben)
      }
      #expect(try refusal([ben])?.code == .conflict, "the news are still under way")
      try world.driver.deliverOwnEffects()
      #expect(try refusal([ben])?.code == .conflict)
      try world.driver.call(UnblockPlayer(anna), as: ben)
      try world.driver.deliverOwnEffects()
      try world.befriend(anna, ben)
      #expect(try refusal([ben])?.code == .conflict)
      #expect(try consents(of: anna).isEmpty && consents(of: ben).isEmpty)
    }
  }

  @Test("2.6 only friends can be let in, and nobody else is told apart")
  func refusals() throws {
    let dan = try world.player(4)
    try world.driver.call(BlockPlayer(ben), as: dan)
    // Friends once, of whom one blocks Ben now; he has heard of both ends.
    let (eve, finn) = (try world.player(5), try world.player(6))
    for player in [eve, finn] { try world.befriend(ben, player) }
    try world.driver.call(BlockPlayer(ben), as: eve)
    try world.driver.call(RemoveFriend(ben), as: finn)
    try world.driver.deliverOwnEffects()
    // Whom he has invited, without and with a block.
    let gina = try world.player(7)
    for player in [dan, gina] { try world.driver.call(InviteFriend(player), as: ben) }
    try world.driver.deliverOwnEffects()
    world.driver.effects = []
    for player in [dan, eve, finn, gina, .sample(99)] {
      let refused = try failure { try world.driver.call(GrantConsent(to: player), as: ben) }
      #expect(refused?.code == .notReachable && refused?.argument == "player")
      #expect(refused?.text == "This player is no friend of yours.")
      // There is nothing to revoke.
      try world.driver.call(RevokeConsent(player, isHeld: true), as: ben)
      try world.driver.call(RevokeConsent(player, isHeld: false), as: ben)
    }
    for player in [ben, PlayerID()] {
      let refused = try failure { try world.driver.call(GrantConsent(to: player), as: ben) }
      #expect(refused?.code == .invalidArgument && refused?.argument == "player")
    }
    #expect(world.driver.effects.isEmpty)
  }

  @Test("2.6 the list is paged and bounded, and consents of two friends are of 64 games at most")
  func bounds() throws {
    let friends = try (10..<30).map { try world.player($0) }
    for friend in friends {
      try world.befriend(anna, friend)
      try grant(friend, to: anna)
    }
    var (list, seen) = (ListConsents(), [PlayerID]())
    list.limit = 7
    repeat {
      let page = try world.driver.call(list, as: anna)
      seen += page.consents.map(\.player)
      list.cursor = page.cursor
    } while !list.cursor.isEmpty
    #expect(seen == friends.sorted())
    for limit in [0, UInt32(ConsentLimits.pageMax) + 1] {
      list.limit = limit
      #expect(try failure { try world.driver.call(list, as: anna) }?.argument == "limit")
    }
    for number in 0..<ConsentLimits.gamesMax {
      try world.call(GrantConsent(to: anna), as: ben, game: "game \(number)")
    }
    let over = try failure { try world.call(GrantConsent(to: anna), as: ben, game: "more") }
    #expect(over?.code == .limitReached && over?.argument == "player")
    // One that has ended long ago makes room.
    try world.call(RevokeConsent(anna, isHeld: false), as: ben, game: "game 7")
    #expect(try failure { try world.call(GrantConsent(to: anna), as: ben, game: "more") } != nil)
    world.driver.clock += FriendEdges.memoryMilliseconds + 1
    try world.call(GrantConsent(to: anna), as: ben, game: "more")
  }

  @Test("2.6 consents of the two that cross hold on both sides, though each has filled the list")
  func crossedGames() throws {
    for number in 0..<(ConsentLimits.gamesMax - 1) {
      try world.call(GrantConsent(to: anna), as: ben, game: "game \(number)")
    }
    try world.driver.deliverOwnEffects()
    try world.call(GrantConsent(to: anna), as: ben, game: "x")
    try world.call(GrantConsent(to: ben), as: anna, game: "y")
    try world.driver.deliverOwnEffects()
    try world.restart()
    for (player, other, game) in [(anna, ben, "x"), (ben, anna, "y")] {
      #expect(try consents(of: player, game: game).map(\.isHeld) == [true])
      #expect(try consents(of: other, game: game).map(\.isGiven) == [true])
      let over = try failure { try world.call(GrantConsent(to: other), as: player, game: "z") }
      #expect(over?.code == .limitReached, "no more of one's own")
    }
  }

  @Test(
    "2.6 a consent of the old friendship that crosses its end is none of the next one",
    arguments: [0, 1, 5], [true, false])
  func crossedEnd(steps: Int64, isHeardFirst: Bool) throws {
    // Anna gives it, perhaps several times within a moment, while Ben removes and invites her.
    for _ in 0..<3 {
      try world.driver.call(GrantConsent(to: ben), as: anna)
      try world.driver.call(RevokeConsent(ben, isHeld: false), as: anna)
    }
    try world.driver.call(GrantConsent(to: ben), as: anna)
    if isHeardFirst { try world.driver.deliverOwnEffects() }
    world.driver.clock += steps
    try world.driver.call(RemoveFriend(anna), as: ben)
    try world.driver.call(InviteFriend(anna), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: anna)[ben] == .received)
    try world.driver.call(AnswerFriend(ben, accept: true), as: anna)
    try world.driver.deliverOwnEffects()
    #expect(try world.friends(of: anna)[ben] == .friends)
    #expect(try world.friends(of: ben)[anna] == .friends)
    for player in [anna, ben] { #expect(try consents(of: player).isEmpty) }
    let given = try world.driver.call(FetchConsent(of: anna), as: ben, kind: .service)
    #expect(!given.isGiven)
    // It can be given in the new one.
    try grant(anna, to: ben)
    #expect(try consents(of: ben).map(\.isHeld) == [true])
    #expect(try consents(of: anna).map(\.isGiven) == [true])
  }

  @Test("2.10 2.6 a sender over budget asks nobody for a consent")
  func budgetFirst() throws {
    let world = World(settings: [.sendBurst: RequestLimits.recipientsMax])
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    try world.driver.call(GrantConsent(to: anna), as: ben)
    try world.driver.deliverOwnEffects()
    for _ in 0..<RequestLimits.recipientsMax {
      try world.driver.call(SendRequest(to: [ben]), as: anna)
    }
    var asked = 0
    let over = try failure {
      try world.callWithFacts(frictionless([ben]), as: anna) { asked += $0 }
    }
    #expect(over?.code == .rateLimited && asked == 0)
    world.driver.clock += Int64(over?.retryAfterMilliseconds ?? 0)
    try world.callWithFacts(frictionless([ben]), as: anna) { asked += $0 }
    #expect(asked == 1)
  }

  @Test("2.10 giving many in a row is over budget, and revoking never is")
  func budget() throws {
    let world = World(settings: [.consentBurst: 2, .consentRefill: 60])
    let (anna, ben) = (try world.player(1), try world.player(2))
    try world.befriend(anna, ben)
    func toggle() throws {
      try world.driver.call(GrantConsent(to: anna), as: ben)
      try world.driver.call(RevokeConsent(anna, isHeld: false), as: ben)
    }
    for _ in 0..<2 { try toggle() }
    try world.restart()
    let over = try failure { try toggle() }
    #expect(over?.code == .rateLimited && over?.retryAfterMilliseconds == 60_000)
    world.driver.clock += 60_000
    try toggle()
  }
}
