import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

@Suite struct InviteTokenTests {
  let world = World(settings: [.streamEventLifetime: 3650])
  let anna: PlayerID
  let ben: PlayerID
  let carl: PlayerID

  init() throws {
    anna = try world.player(1)
    ben = try world.player(2)
    carl = try world.player(3)
  }

  private func makeToken() throws -> String {
    try world.driver.call(CreateInviteTokens(count: 1), as: anna).tokens[0].token
  }

  private func send(to tokens: [String], wantsReceipts: Bool = false) throws -> SendRequest.Reply {
    var request = SendRequest(to: [], message: "Come and play")
    request.recipients = tokens
    request.wantsReceipts = wantsReceipts
    return try world.driver.call(request, as: anna)
  }

  @discardableResult
  private func claim(_ token: String, as player: PlayerID, game: String = "game") throws
    -> ClaimInviteToken.Reply
  {
    let token = try #require(InviteToken(token))
    return try world.callWithFacts(ClaimInviteToken(token), as: player, game: game)
  }

  private func refusal(_ token: String, as player: PlayerID, game: String = "game") throws
    -> Failure?
  {
    try failure { try claim(token, as: player, game: game) }
  }

  private func states() throws -> [InviteTokenState] {
    try world.driver.call(ListInviteTokens(), as: anna).tokens.map(\.state)
  }

  @Test("2.7 whoever claims a token first gets the requests that were sent to it")
  func claimed() throws {
    let token = try makeToken()
    let first = try send(to: [token], wantsReceipts: true)
    let second = try send(to: [token])
    #expect(first.recipients.map(\.outcome) == [.queued])
    #expect(first.recipients.map(\.recipient) == [token])
    try world.driver.deliverOwnEffects()
    try world.restart()
    // Ben is no friend.
    let reply = try claim(token, as: ben)
    #expect(reply.displayName == "Player 1" && reply.requestCount == 2)
    try world.driver.deliverOwnEffects()
    let inbox = try world.driver.call(Inbox(), as: ben).requests
    #expect(Set(inbox.map(\.request)) == [first.request, second.request])
    #expect(inbox.allSatisfy { $0.sender == anna && $0.message == "Come and play" })
    #expect(try world.events(RequestReceived.self, of: ben).count == 2)
    let told = try world.events(InviteTokenClaimed.self, of: anna)
    #expect(told.map(\.player) == [ben] && told.map(\.token) == [token])
    #expect(try world.events(RequestDelivered.self, of: anna).map(\.request) == [first.request])
    try world.driver.call(AnswerRequest(first.request, accept: true), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(try world.events(RequestAnswered.self, of: anna).map(\.recipient) == [ben])
    let info = try #require(try world.driver.call(ListInviteTokens(), as: anna).tokens.first)
    #expect(info.state == .claimed && info.player == ben && info.requestCount == 2)
    #expect(world.driver.rows[TokenRequestRow.tableID]?.isEmpty != false)
  }

  @Test(
    "2.7 a token is claimed once: used, revoked, expired and unknown ones each have their error")
  func refusals() throws {
    let used = try makeToken()
    try claim(used, as: ben)
    let second = try refusal(used, as: carl)
    #expect(second?.code == .alreadyExists && second?.argument == "token")
    let revoked = try makeToken()
    try world.driver.call(RevokeInviteToken(revoked), as: anna)
    #expect(try refusal(revoked, as: ben)?.code == .conflict)
    let expired = try makeToken()
    world.driver.clock += 60 * World.day - 1
    let young = try makeToken()
    world.driver.clock += 1
    #expect(try refusal(expired, as: ben)?.code == .notOpen, "before the timer has come")
    world.driver.runTimers()
    #expect(try refusal(expired, as: ben)?.code == .notOpen)
    let unknown = InviteToken(sender: anna, id: .sample(7)).description
    let nobodys = InviteToken(sender: .sample(99), id: .sample(7)).description
    for token in [unknown, nobodys] {
      let refused = try refusal(token, as: ben)
      #expect(refused?.code == .notFound && refused?.argument == "token")
    }
    #expect(try refusal(young, as: anna)?.code == .invalidArgument, "her own")
    try world.restart()
    // Of those of one moment any may come first.
    #expect(try Set(states().suffix(3)) == [.expired, .revoked, .claimed])
    #expect(try states().first == .open && states().count == 4)
    #expect(try failure { try claim(young, as: carl) } == nil)
  }

  @Test("2.7 2.9 to a pair with a block, either way, a token is unknown; to others it is open")
  func blocks() throws {
    let token = try makeToken()
    _ = try send(to: [token])
    let never = try #require(
      InviteToken(InviteToken(sender: anna, id: .sample(7)).description))
    func asked(_ token: InviteToken, as player: PlayerID) throws -> ([Int], Failure?) {
      var asked: [Int] = []
      let refused = try failure {
        try world.callWithFacts(ClaimInviteToken(token), as: player) { asked.append($0) }
      }
      return (asked, refused)
    }
    let (questions, unknown) = try asked(never, as: ben)
    #expect(questions == [1] && unknown?.code == .notFound)
    try world.driver.call(BlockPlayer(anna), as: ben)
    try world.driver.call(BlockPlayer(carl), as: anna)
    for player in [ben, carl] {
      let there = try asked(try #require(InviteToken(token)), as: player)
      #expect(there.0 == questions && there.1 == unknown, "in as many questions")
    }
    try world.driver.call(UnblockPlayer(anna), as: ben)
    try world.driver.deliverOwnEffects()
    try claim(token, as: ben)
    // A block between the claim and the request holds, too.
    try world.driver.call(BlockPlayer(anna), as: ben)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)
    let dropped = try world.events(RequestDropped.self, of: anna)
    #expect(dropped.map(\.outcome) == [.notReachable] && dropped.map(\.recipient) == [ben])
    // And a used token looks unknown from behind it.
    #expect(try refusal(token, as: carl) == unknown && refusal(token, as: ben) == unknown)
  }

  @Test("2.7 a token is of one game")
  func games() throws {
    let token = try makeToken()
    for player in [anna, ben] { try world.open(player, game: "other") }
    #expect(try refusal(token, as: ben, game: "other")?.code == .notFound)
    #expect(try world.call(ListInviteTokens(), as: anna, game: "other").tokens.isEmpty)
    var request = SendRequest(to: [])
    request.recipients = [token]
    let reply = try world.call(request, as: anna, game: "other")
    #expect(reply.recipients.map(\.outcome) == [.notReachable])
    let revoke = try failure {
      try world.call(RevokeInviteToken(token), as: anna, game: "other")
    }
    #expect(revoke?.code == .notFound)
    #expect(try failure { try claim(token, as: ben) } == nil)
  }

  @Test("2.4 2.7 requests of a token that expires or is revoked are dropped, and each is told")
  func dropped() throws {
    let (expired, revoked) = (try makeToken(), try makeToken())
    let sent = try send(to: [expired, revoked])
    try world.driver.call(RevokeInviteToken(revoked), as: anna)
    try world.driver.call(RevokeInviteToken(revoked), as: anna)
    try world.restart(without: TimerRow.tableID)
    world.driver.clock += 60 * World.day
    world.driver.runTimers()
    let events = try world.events(RequestDropped.self, of: anna)
    #expect(events.map(\.token) == [revoked, expired])
    #expect(events.allSatisfy { $0.outcome == .expiredToken && $0.recipient.isNil })
    #expect(events.allSatisfy { $0.request == sent.request })
    #expect(try send(to: [expired]).recipients.map(\.outcome) == [.expiredToken])
    #expect(world.driver.rows[TokenRequestRow.tableID]?.isEmpty != false)
    // Those that have ended are remembered for a while.
    let memory = InviteTokens.memoryMilliseconds
    world.driver.clock += memory - 1
    world.driver.runTimers()
    #expect(try states() == [.expired])
    #expect(try refusal(expired, as: ben)?.code == .notOpen)
    try world.restart(without: TimerRow.tableID)
    world.driver.clock += 1
    world.driver.runTimers()
    #expect(try states().isEmpty)
    #expect(try refusal(expired, as: ben)?.code == .notFound)
    #expect(world.driver.rows[InviteTokenRow.tableID]?.isEmpty != false)
    // The timers that are left are those of old events.
    let due = try #require(world.driver.engine.nextTimerDue)
    #expect(due > world.driver.clock + 3_000 * World.day)
  }

  @Test("2.7 a request that comes to one player in several ways is on the list once")
  func sameRequest() throws {
    try world.befriend(anna, ben)
    let tokens = try [makeToken(), makeToken()]
    for round in 0...1 {
      let others = try [makeToken(), makeToken()]
      let reply = try send(to: round == 0 ? [ben.description] + tokens : others)
      #expect(reply.recipients.allSatisfy { $0.outcome == .queued })
      for outcome in reply.recipients where InviteToken(outcome.recipient) != nil {
        try claim(outcome.recipient, as: ben)
      }
      try world.driver.deliverOwnEffects()
      let inbox = try world.driver.call(Inbox(), as: ben).requests
      #expect(inbox.map(\.request) == [reply.request])
      #expect(try world.events(RequestReceived.self, of: ben).count == round + 1)
      try world.restart()
      if round == 0 {
        try world.driver.call(AnswerRequest(reply.request, accept: true), as: ben)
      } else {
        world.driver.clock += 60 * World.day
        world.driver.runTimers(atMost: 100)
      }
      try world.driver.deliverOwnEffects()
      #expect(try world.driver.call(Inbox(), as: ben).requests.isEmpty)
    }
    #expect(try world.events(RequestAnswered.self, of: anna).count == 1)
    #expect(try world.events(RequestExpired.self, of: anna).count == 1)
    #expect(try world.events(RequestDropped.self, of: anna).isEmpty)
  }

  @Test("2.7 7.1 whoever has claimed a token and asks again gets the same reply, and no request")
  func claimedAgain() throws {
    let token = try makeToken()
    _ = try send(to: [token])
    let first = try claim(token, as: ben)
    try world.driver.deliverOwnEffects()
    try world.restart()
    let second = try claim(token, as: ben)
    #expect(second == first && first.requestCount == 1)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 1)
    #expect(try world.events(InviteTokenClaimed.self, of: anna).count == 1)
    #expect(try refusal(token, as: carl)?.code == .alreadyExists)
  }

  @Test("2.4 a token that cannot be claimed any more, or holds all it can, says so at once")
  func outcomes() throws {
    let (token, claimed, revoked) = (try makeToken(), try makeToken(), try makeToken())
    try claim(claimed, as: ben)
    try world.driver.call(RevokeInviteToken(revoked), as: anna)
    let others = try world.driver.call(CreateInviteTokens(count: 1), as: carl).tokens[0].token
    for round in 0...InviteTokenLimits.requestsMax {
      let outcomes = try send(to: [token, claimed, revoked, others, token]).recipients
      #expect(outcomes.map(\.recipient) == [token, claimed, revoked, others])
      #expect(
        outcomes.map(\.outcome) == [
          round < InviteTokenLimits.requestsMax ? .queued : .limitReached,
          .expiredToken, .expiredToken, .notReachable,
        ])
    }
    try claim(token, as: carl)
    try world.driver.deliverOwnEffects()
    let inbox = try world.driver.call(Inbox(), as: carl).requests
    #expect(inbox.count == InviteTokenLimits.requestsMax)
  }

  @Test("2.7 a retry of a claim gets the same reply; only its sender revokes a token")
  func retry() throws {
    let token = try makeToken()
    _ = try send(to: [token])
    for player in [ben, carl] {
      let revoke = try failure { try world.driver.call(RevokeInviteToken(token), as: player) }
      #expect(revoke?.code == .notFound && revoke?.argument == "token")
    }
    for text in ["", "nonsense", String(token.dropLast())] {
      let revoke = try failure { try world.driver.call(RevokeInviteToken(text), as: anna) }
      #expect(revoke?.code == .notFound)
    }
    let operation = ClaimInviteToken(try #require(InviteToken(token)))
    let facts = Facts([Fact(FetchBlocks.self, at: ben, FetchBlocks.Reply())])
    let key = IdempotencyKey(instance: 8, counter: 3, floor: 3)
    let first = try world.driver.call(operation, as: ben, facts: facts, idempotency: key)
    try world.restart()
    let second = try world.driver.call(operation, as: ben, facts: facts, idempotency: key)
    #expect(first == second && first.requestCount == 1)
    try world.driver.deliverOwnEffects()
    #expect(try world.driver.call(Inbox(), as: ben).requests.count == 1)
    let late = try failure { try world.driver.call(RevokeInviteToken(token), as: anna) }
    #expect(late?.code == .alreadyExists)
  }

  @Test("2.7 2.10 tokens are bounded for each sender, and made within a budget")
  func bounds() throws {
    for count in [0, UInt8(InviteTokenLimits.createdMax) + 1] {
      let bad = try failure { try world.driver.call(CreateInviteTokens(count: count), as: anna) }
      #expect(bad?.code == .invalidArgument && bad?.argument == "count")
    }
    let all = CreateInviteTokens(count: UInt8(InviteTokenLimits.createdMax))
    for _ in 0..<3 { try world.driver.call(all, as: anna) }
    let over = try failure { try world.driver.call(all, as: anna) }
    #expect(over?.code == .rateLimited && over?.retryAfterMilliseconds == 20 * 60_000)
    try world.restart()
    world.driver.clock += 19 * 60_000
    #expect(try failure { try world.driver.call(all, as: anna) }?.code == .rateLimited)
    for _ in 0..<2 {
      world.driver.clock += 20 * 60_000
      try world.driver.call(all, as: anna)
    }
    world.driver.clock += World.day
    let full = try failure { try world.driver.call(CreateInviteTokens(count: 1), as: anna) }
    #expect(full?.code == .limitReached && full?.argument == "count")
    // Those that have ended are remembered, up to a bound.
    let first = try #require(try world.driver.call(ListInviteTokens(), as: anna).tokens.last).token
    for _ in 0..<InviteTokenLimits.keptMax {
      let open = try world.driver.call(ListInviteTokens(), as: anna).tokens.last {
        $0.state == .open
      }
      try world.driver.call(RevokeInviteToken(try #require(open).token), as: anna)
      world.driver.clock += 60_000
      try makeTokenAgain()
    }
    let kept = try world.driver.call(ListInviteTokens(), as: anna).tokens
    #expect(kept.count == InviteTokenLimits.keptMax)
    #expect(kept.count { $0.state == .open } == InviteTokenLimits.openMax)
    #expect(try refusal(first, as: ben)?.code == .notFound, "forgotten")
  }

  private func makeTokenAgain() throws { _ = try makeToken() }

  @Test("2.7 how long a token can be claimed is a setting")
  func lifetime() throws {
    let world = World(settings: [.inviteTokenLifetime: 2])
    let (anna, ben) = (try world.player(1), try world.player(2))
    let info = try world.driver.call(CreateInviteTokens(count: 1), as: anna).tokens[0]
    #expect(info.expires == info.created + 2 * World.day)
    try world.restart(settings: [.inviteTokenLifetime: 4])
    world.driver.clock += 3 * World.day
    world.driver.runTimers()
    let token = try #require(InviteToken(info.token))
    #expect(try failure { try world.callWithFacts(ClaimInviteToken(token), as: ben) } == nil)
  }

  @Test("2.7 the text of a token is its sender and a part that cannot be guessed")
  func text() throws {
    let token = try makeToken()
    #expect(token.utf8.count == 52 && token.utf8.count <= RequestLimits.recipientBytesMax)
    #expect(InviteToken(token)?.sender == anna && InviteToken(token)?.description == token)
    for text in [
      "", String(token.dropLast()), token + "0", PlayerID().description + token.suffix(26),
    ] {
      #expect(InviteToken(text) == nil)
    }
  }
}
