import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct CreateContextTests {
  let driver = ContextDriver()

  @Test("1.1 a solo context has one player and becomes the current one")
  func solo() throws {
    #expect(try driver.current(ann) == nil)
    let info = try driver.createSolo(ann)
    #expect(info.size == 1)
    #expect(info.form == .solo)
    #expect(info.players == [ContextPlayer(player: ann, role: .owner, state: .active)])
    #expect(info.createdAt == driver.clock)
    #expect(try driver.current(ann) == info.context)
    #expect(try driver.list(ann).contexts == [info])
  }

  @Test("7.1 repeating a create gives the same context")
  func soloAgain() throws {
    let key = RoutingKey(high: 7, low: 7)
    let idempotency = IdempotencyKey(instance: 5, counter: 1, floor: 1)
    let first = try driver.ask(
      CreateSoloContext(), as: ann, key: key, idempotency: idempotency)
    try driver.restart()
    let second = try driver.ask(
      CreateSoloContext(), as: ann, key: key, idempotency: idempotency)
    #expect(first == second)
    #expect(driver.effects.count == 1)
  }

  @Test("1.4 creating twice gives the same context")
  func pairTwice() throws {
    let first = try driver.createPair(ann, with: ben)
    driver.clock += 1000
    let second = try driver.createPair(ann, with: ben)
    #expect(first.context == second.context)
    #expect(first.generation == 1 && second.generation == 1)
    #expect(second.lastActiveAt == first.lastActiveAt + 1000)
    #expect(try driver.streamEvents(ContextInvitation.self).count == 1)
  }

  @Test("1.4 the other player is invited, sees the context in its list and is not moved into it")
  func invitation() throws {
    let info = try driver.createPair(ann, with: ben)
    #expect(info.size == 2)
    #expect(info.players.last == ContextPlayer(player: ben, role: .participant, state: .invited))
    let events = try driver.streamEvents(ContextInvitation.self)
    #expect(events.map(\.player) == [ben])
    #expect(events.first?.event.info == info)
    #expect(events.first?.event.inviter == ann)
    #expect(try driver.list(ben).contexts == [info])
    #expect(try driver.current(ben) == nil)
    #expect(try driver.current(ann) == info.context)
  }

  @Test("1.4 the invited player's own create enters the same context")
  func bothCreate() throws {
    let info = try driver.createPair(ann, with: ben)
    _ = try driver.streamEvents(ContextInvitation.self)
    let same = try driver.createPair(ben, with: ann)
    #expect(same.context == info.context)
    #expect(same.players.allSatisfy { $0.state == .active })
    #expect(try driver.current(ben) == info.context)
    let events = try driver.streamEvents(ContextPlayerChanged.self)
    #expect(events.map(\.player) == [ann])
    #expect(events.first?.event.player == ben)
    #expect(events.first?.event.state == .active)
  }

  @Test("1.4 a closed pair context reopens as a new generation")
  func reopen() throws {
    let id = try driver.pair()
    try driver.leave(id, as: ann)
    try driver.leave(id, as: ben)
    try driver.restart()
    driver.clock += 5
    let info = try driver.createPair(ben, with: ann)
    #expect(info.context == id)
    #expect(info.generation == 2)
    #expect(info.createdAt == driver.clock)
    #expect(info.players.first == ContextPlayer(player: ben, role: .owner, state: .active))
    #expect(info.players.last == ContextPlayer(player: ann, role: .participant, state: .invited))
  }

  @Test("1.4 the player must be named, be another one and be a friend, in this order")
  func arguments() throws {
    let missing = failure { try driver.createPair(ann, with: PlayerID(), friends: []) }
    #expect(missing?.code == .requiredArgument)
    #expect(missing?.argument == "player")
    let own = failure { try driver.createPair(ann, with: ann, friends: []) }
    #expect(own?.code == .invalidArgument)
    #expect(own?.argument == "player")
    let stranger = failure { try driver.createPair(ann, with: ben, friends: [cho]) }
    #expect(stranger?.code == .notReachable)
    #expect(driver.effects.isEmpty)
    #expect(try driver.current(ann) == nil)
  }

  @Test("1.4 a former friend cannot be met in the pair's context again")
  func formerFriend() throws {
    try driver.createPair(ann, with: ben)
    let refused = failure { try driver.createPair(ann, with: ben, friends: []) }
    #expect(refused?.code == .notReachable)
  }

  @Test("1.4 2.9 a friend who blocks the caller cannot be met, also before the caller's list knows")
  func blocked() throws {
    let refused = failure { try driver.createPair(ann, with: ben, isBlocked: true) }
    #expect(refused?.code == .notReachable && refused?.argument == "player")
    #expect(driver.effects.isEmpty)
    try driver.createPair(ann, with: ben)
    let again = failure { try driver.createPair(ann, with: ben, isBlocked: true) }
    #expect(again == refused)
  }

  @Test("1.4 a context belongs to a game")
  func games() throws {
    let id = try driver.createSolo(ann).context
    var get = GetContext()
    get.context = id
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .player, game: "other", player: ann, device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: id)
    let refused = failure {
      _ = try driver.answer(
        Request(opcode: GetContext.opcode, envelope: envelope, body: get.encoded))
    }
    #expect(refused?.code == .notFound)
    envelope.routingKey = RoutingKey(reinterpreting: ann)
    let body = try driver.answer(
      Request(
        opcode: CurrentContext.opcode, envelope: envelope, body: CurrentContext().encoded))
    #expect(try CurrentContext.Reply(decoding: body).context == nil)
  }
}
