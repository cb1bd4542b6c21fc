import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// What one player can make the service keep and others hear is bounded.
@Suite struct GroupBoundTests {
  @Test("1.4 7.2 a player opens so many groups and solo contexts, and no more until some are gone")
  func opened() throws {
    let world = GroupWorld()
    for _ in 0..<ContextLimits.groupsPerPlayerMax { try world.create() }
    let refused = failure { try world.create() }
    #expect(refused?.code == .limitReached && refused?.argument == "context")
    let first = try world.list(ann)[0].context
    try world.close(first, by: ann, isForGood: true)
    try world.create()
    try world.driver.restart()
    #expect(failure { try world.create() }?.code == .limitReached)
    for key in 1...ContextLimits.solosPerPlayerMax {
      try world.driver.createSolo(ann, key: UInt64(key))
    }
    #expect(failure { try world.driver.createSolo(ann, key: 0) }?.code == .limitReached)
    try world.leave(ContextID(high: 7, low: 1), ann)
    try world.driver.createSolo(ann, key: 1)
    try world.driver.createSolo(ben, key: 0)
  }

  @Test("1.4 2.10 invitations and requests have a budget in each group, kept over restarts")
  func budgets() throws {
    let world = GroupWorld(settings: [
      .contextInvitationBurst: 20, .contextInvitationRefill: 60, .contextRequestBurst: 2,
      .contextRequestRefill: 60,
    ])
    let id = try world.create(sizeMax: 100).info.context
    #expect(try world.invite((10..<30).map { .sample($0) }, to: id, by: ann).count == 20)
    try world.driver.restart()
    let refused = failure { try world.invite([.sample(40)], to: id, by: ann) }
    #expect(refused?.code == .rateLimited)
    #expect((1...60_000).contains(refused?.retryAfterMilliseconds ?? 0))
    #expect(try world.get(id, ann).size == 21, "nobody was invited")
    #expect(try world.invite([.sample(10)], to: id, by: ann) == [.alreadyIn], "which costs nothing")
    world.driver.clock += 60_000
    #expect(try world.invite([.sample(40)], to: id, by: ann) == [.invited])
    try world.settings(id, by: ann) { $0.policy = .byRequest }
    for _ in 0..<2 {
      try world.join(id, ben)
      try world.leave(id, ben)
    }
    #expect(failure { try world.join(id, ben) }?.code == .rateLimited)
    try world.join(id, cho)
  }

  @Test("2.10 a player has one budget of invitations to all groups of a game, new ones included")
  func senderBudget() throws {
    let world = GroupWorld(settings: [.contextSenderBurst: 30, .contextSenderRefill: 60])
    let friends = (10..<30).map { PlayerID.sample($0) }
    let first = try world.create(sizeMax: 100, inviting: friends).info.context
    try world.close(first, by: ann, isForGood: true)
    try world.driver.restart()
    let refused = failure { try world.create(sizeMax: 100, inviting: friends) }
    #expect(refused?.code == .rateLimited)
    #expect((540_000...600_000).contains(refused?.retryAfterMilliseconds ?? 0))
    let second = try world.create(sizeMax: 100, inviting: Array(friends.prefix(5))).info.context
    #expect(failure { try world.invite(friends, to: second, by: ann) }?.code == .rateLimited)
    #expect(try world.get(second, ann).size == 6, "nobody was invited")
    #expect(try world.invite([.sample(40)], to: second, by: ann) == [.invited])
    try world.create(ben, sizeMax: 100, inviting: friends)
    world.driver.clock += 600_000
    #expect(try world.invite(Array(friends.suffix(14)), to: second, by: ann).count == 14)
    #expect(failure { try world.invite([.sample(41)], to: second, by: ann) }?.code == .rateLimited)
  }

  @Test("2.10 invitations to several groups at once, before their news are in, are owed")
  func owed() throws {
    let world = GroupWorld(settings: [.contextSenderBurst: 20, .contextSenderRefill: 60])
    let groups = try (0..<3).map { _ in try world.create(sizeMax: 100).info.context }
    for id in groups {
      var operation = InviteToContext()
      (operation.context, operation.players) = (id, (10..<30).map { .sample($0) })
      try world.driver.ask(operation, as: ann, world.book)
    }
    try world.driver.deliverOwnEffects()
    let refused = failure { try world.invite([.sample(40)], to: groups[0], by: ann) }
    #expect((2_400_000...2_460_000).contains(refused?.retryAfterMilliseconds ?? 0))
  }

  @Test("2.10 joining, roles and settings, of which all hear, have a budget; leaving is free")
  func changeBudget() throws {
    let world = GroupWorld(settings: [.contextChangeBurst: 3, .contextChangeRefill: 60])
    let id = try world.group(ann, ben, policy: .open)
    for _ in 0..<3 {
      try world.join(id, cho)
      try world.leave(id, cho)
    }
    try world.driver.restart()
    #expect(failure { try world.join(id, cho) }?.code == .rateLimited)
    try world.join(id, dan)
    try world.change(id, ben, to: .moderator, by: ann)
    try world.settings(id, by: ann) { $0.name = "Crew" }
    try world.change(id, ben, to: .participant, by: ann)
    #expect(failure { try world.settings(id, by: ann) { $0.name = "" } }?.code == .rateLimited)
    #expect(failure { try world.change(id, ben, to: .owner, by: ann) }?.code == .rateLimited)
    #expect(try world.get(id, ann).name == "Crew")
    world.driver.clock += 60_000
    try world.join(id, cho)
  }

  @Test("1.4 so many wait for an answer, and no more")
  func requests() throws {
    let world = GroupWorld()
    let id = try world.group(ann, policy: .byRequest)
    for number in 0..<ContextLimits.groupRequestsMax {
      try world.join(id, .sample(UInt64(10 + number)))
    }
    let refused = failure { try world.join(id, ben) }
    #expect(refused?.code == .limitReached && refused?.argument == "context")
    try world.answer(id, .sample(10), false, by: ann)
    try world.join(id, ben)
  }

  @Test("1.8 the longest group: every call stays within what a call may need and touch")
  func longest() throws {
    let world = GroupWorld()
    let id = try world.create(ann, .open, sizeMax: 100).info.context
    for player in UInt64(2)...79 { try world.join(id, .sample(player)) }
    #expect(try world.invite((80..<100).map { .sample($0) }, to: id, by: ann).count == 20)
    try world.forgetEvents()
    let (rows, effects) = (world.driver.changeCount, world.driver.effects.count)
    try world.driver.ask(enter(id), as: .sample(80), world.book)
    // A summary and an event for each, and what the engine keeps of the call.
    #expect(world.driver.effects.count - effects <= 200)
    #expect(world.driver.changeCount - rows <= 210)
    try world.driver.deliverOwnEffects()
    try world.join(id, .sample(120))
    #expect(failure { try world.join(id, .sample(121)) }?.code == .limitReached)
    #expect(try world.get(id, ann).players.count == 100)
    let row = try #require(try world.list(.sample(80)).first)
    #expect(row.size == 100 && row.players.count == ContextLimits.summaryPlayersMax)
    #expect(row.players.first?.player == .sample(80), "whose list it is")
  }

  @Test("1.8 in a group, others' lists hear only of what they show")
  func trifles() throws {
    let world = GroupWorld()
    let id = try world.group(ann, ben, cho)
    try world.forgetEvents()
    let before = try world.list(ben)[0].lastActiveAt
    world.driver.clock += 1000
    try world.driver.ask(enter(id), as: ann, world.book)
    #expect(world.driver.effects.count == 1, "the caller's own list")
    try world.driver.deliverOwnEffects()
    #expect(try world.list(ben)[0].lastActiveAt == before)
    #expect(try world.list(ann)[0].lastActiveAt > before)
    #expect(try world.get(id, ben).lastActiveAt == world.list(ann)[0].lastActiveAt)
  }

  @Test("1.8 a group remembers so many whom somebody has removed")
  func removed() throws {
    let world = GroupWorld()
    let id = try world.group(ann, policy: .open)
    for number in 0...ContextLimits.removedKeptMax {
      let player = PlayerID.sample(UInt64(1000 + number))
      try world.join(id, player)
      try world.remove(player, from: id, by: ann)
    }
    #expect(failure { try world.join(id, .sample(1001)) }?.code == .notFound)
    try world.join(id, .sample(1000))
  }

  private func enter(_ context: ContextID) -> SwitchContext {
    var operation = SwitchContext()
    operation.context = context
    return operation
  }
}
