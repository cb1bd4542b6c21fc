import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct ContextBlockTests {
  let world = GroupWorld()

  @Test(
    "2.9 a block closes the pair's context for both, who get no notice", arguments: [true, false])
  func pair(byOwner: Bool) throws {
    let id = try world.driver.pair(ann, ben)
    try world.driver.join(id, as: ann, session: 1, seat: 1)
    try world.driver.join(id, as: ben, session: 2, seat: 2)
    try world.forgetEvents()
    let (one, other) = byOwner ? (ann, ben) : (ben, ann)
    try world.block(other, by: one)
    for player in [ann, ben] {
      #expect(try world.list(player).isEmpty && world.driver.current(player) == nil)
      #expect(failure { try world.get(id, player) }?.code == .notFound)
      #expect(failure { try world.enter(id, player) }?.code == .notFound)
    }
    #expect(try world.events(ContextPlayerChanged.self).isEmpty)
    #expect(try world.driver.takePushes(MatchEnded.self).count == 1, "their match is over")
    for (player, friend) in [(ann, ben), (ben, ann)] {
      #expect(failure { try meet(player, friend) }?.code == .notReachable)
    }
    // Once nobody blocks, the two may open it again; nothing opens by itself.
    try world.block(other, by: one, false)
    #expect(failure { try world.get(id, ann) }?.code == .notFound)
    let again = try meet(ben, ann)
    #expect(again.context == id && again.generation == 2)
  }

  @Test("2.9 a pair's context that the blocker has left, or that left the list, is closed as well")
  func leftPair() throws {
    let id = try world.driver.pair(ann, ben)
    try world.leave(id, ann)
    try world.driver.restart()
    try world.block(ben, by: ann)
    #expect(failure { try world.get(id, ben) }?.code == .notFound)
    #expect(try world.list(ben).isEmpty)
  }

  @Test("2.9 a block that comes before the news of the pair's context closes it, too")
  func earlyBlock() throws {
    try meetUndelivered(ann, ben)
    try world.tellBlock(ben, by: ann, true, at: world.driver.clock + 5)
    #expect(try world.list(ann).isEmpty && world.list(ben).isEmpty)
  }

  @Test("2.9 news of a block that come late close no generation that was opened after it")
  func lateBlock() throws {
    let id = try world.driver.pair(ann, ben)
    let blockedAt = world.driver.clock + 1
    try world.leave(id, ann)
    try world.leave(id, ben)
    // Blocked and unblocked meanwhile, of which nothing has come here yet.
    world.driver.clock += 2
    #expect(try meet(ann, ben).generation == 2)
    try world.tellBlock(ben, by: ann, true, at: blockedAt)
    #expect(try world.get(id, ann).generation == 2)
    try world.tellBlock(ben, by: ann, false, at: blockedAt + 1)
    #expect(try world.get(id, ann).size == 2)
    var old = ClosePairContext()
    (old.context, old.generation) = (id, 1)
    try world.driver.call(old, as: PlayerID(), kind: .service)
    #expect(try world.get(id, ben).size == 2)
  }

  @Test("2.9 a block that was made while the pair's context was opened closes it when it comes")
  func crossingBlock() throws {
    let id = try meet(ann, ben).context
    // Ann was asked, then blocked ben, and the context was made with the older answer.
    try world.tellBlock(ben, by: ann, true, at: world.driver.clock)
    #expect(failure { try world.get(id, ann) }?.code == .notFound)
    #expect(failure { try world.get(id, ben) }?.code == .notFound)
  }

  @Test("2.9 a block closes the pair's contexts of all games, and of no other pair")
  func games() throws {
    let (ours, theirs) = (try world.driver.pair(ann, ben), try world.driver.pair(ann, cho))
    var record = RecordContext()
    record.player = ann
    record.info.context = .sample(77)
    (record.info.form, record.info.generation, record.info.size) = (.pair, 3, 2)
    record.checkedAt = world.driver.clock
    record.info.players = [ann, ben].map {
      ContextPlayer(player: $0, role: .owner, state: .active)
    }
    record.isMember = true
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: .service, game: "other", player: PlayerID(), device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: ann)
    _ = try world.driver.answer(
      Request(opcode: RecordContext.opcode, envelope: envelope, body: record.encoded))
    var news = RecordBlock()
    (news.player, news.other, news.isBlocked, news.time) = (ann, ben, true, world.driver.clock)
    try world.driver.call(news, as: PlayerID(), kind: .service)
    let closed = world.driver.effects.filter { $0.opcode == ClosePairContext.opcode.rawValue }
    #expect(closed.map(\.game) == ["game", "other"])
    try world.driver.deliverOwnEffects()
    #expect(failure { try world.get(ours, ben) }?.code == .notFound)
    #expect(try world.get(theirs, cho).size == 2)
  }

  @Test("2.9 who is blocked by somebody in a group, or blocks somebody there, does not find it")
  func joining() throws {
    let id = try world.group(ann, ben, policy: .open)
    let unknown = failure { try world.join(.sample(99), cho) }
    world.book.blocks = [ben: [cho], dan: [ben]]
    for player in [cho, dan] {
      let refused = failure { try world.join(id, player) }
      #expect(refused?.code == .notFound && refused == unknown)
    }
    try world.settings(id, by: ann) { $0.policy = .byRequest }
    #expect(failure { try world.join(id, cho) } == unknown)
    // Invited players are in it as well.
    try world.settings(id, by: ann) { $0.policy = .open }
    try world.invite([eve], to: id, by: ann)
    world.book.blocks = [eve: [cho]]
    #expect(failure { try world.join(id, cho) } == unknown)
    world.book.blocks = [:]
    #expect(try world.join(id, cho).size == 4)
  }

  @Test("2.9 the blocked one gets the same answer from a full group as from one that is not there")
  func full() throws {
    let id = try world.group(ann, ben, policy: .open, sizeMax: 2)
    world.book.blocks = [ben: [cho]]
    #expect(failure { try world.join(id, cho) }?.code == .notFound)
    #expect(failure { try world.join(id, dan) }?.code == .limitReached)
  }

  @Test(
    "2.9 an invitation needs that neither blocks the other, nor anybody in the group the invited")
  func inviting() throws {
    let id = try world.group(ann, ben)
    for blocks in [[ann: [cho]], [cho: [ann]], [ben: [cho]]] as [[PlayerID: Set<PlayerID>]] {
      world.book.blocks = blocks
      #expect(try world.invite([cho, dan], to: id, by: ann).first == .notReachable, "\(blocks)")
    }
    world.book.blocks = [:]
    #expect(try world.invite([cho], to: id, by: ann) == [.invited])
  }

  @Test("2.9 whoever blocked the invited one meanwhile is not met; both stay in a group under way")
  func arriving() throws {
    let id = try world.group(ann, ben)
    try world.invite([cho, dan], to: id, by: ann)
    world.book.blocks = [ben: [cho], dan: [ben]]
    #expect(failure { try world.enter(id, cho) }?.code == .notFound)
    #expect(failure { try world.join(id, cho) }?.code == .notFound)
    #expect(failure { try world.enter(id, dan) }?.code == .notFound)
    world.book.blocks = [ann: [ben], ben: [ann]]
    #expect(try world.enter(id, ben).size == 4 && world.get(id, ann).size == 4)
    #expect(try world.enter(id, cho).size == 4)
  }

  @Test("2.9 an answered request brings nobody to a player whom a block keeps apart")
  func requests() throws {
    let id = try world.group(ann, ben, policy: .byRequest)
    for player in [cho, dan] { try world.join(id, player) }
    world.book.blocks = [ben: [cho], dan: [ben]]
    for player in [cho, dan] {
      let refused = failure { try world.answer(id, player, by: ann) }
      #expect(refused?.code == .notFound && refused?.argument == "player")
    }
    #expect(try world.get(id, ann).size == 2)
    world.book.blocks = [:]
    #expect(try world.answer(id, cho, by: ann).size == 3)
  }

  @Test("2.9 an invited friend enters no pair's context with whom a block keeps apart")
  func invitedFriend() throws {
    let id = try world.driver.createPair(ann, with: ben).context
    // The effect that closes it is under way.
    world.book.blocks = [ann: [ben]]
    #expect(failure { try world.enter(id, ben) }?.code == .notFound)
    world.book.blocks = [ben: [ann]]
    #expect(failure { try world.enter(id, ben) }?.code == .notFound)
  }

  @discardableResult
  private func meet(_ player: PlayerID, _ other: PlayerID) throws -> ContextInfo {
    var operation = CreatePairContext()
    operation.player = other
    return try world.ask(operation, as: player, key: pairKey(player, other))
  }

  private func meetUndelivered(_ player: PlayerID, _ other: PlayerID) throws {
    var operation = CreatePairContext()
    operation.player = other
    try world.driver.ask(operation, as: player, key: pairKey(player, other), world.book)
  }
}
