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
    try world.forgetEvents()
    let (one, other) = byOwner ? (ann, ben) : (ben, ann)
    try world.block(other, by: one)
    for player in [ann, ben] {
      #expect(try world.list(player).isEmpty && world.driver.current(player) == nil)
      #expect(failure { try world.get(id, player) }?.code == .notFound)
      #expect(failure { try world.enter(id, player) }?.code == .notFound)
    }
    #expect(try world.events(ContextPlayerChanged.self).isEmpty)
    for (player, friend) in [(ann, ben), (ben, ann)] {
      #expect(failure { try meet(player, friend) }?.code == .notReachable)
    }
    // Once nobody blocks, the two may open it again; nothing opens by itself.
    try world.block(other, by: one, false)
    #expect(failure { try world.get(id, ann) }?.code == .notFound)
    let again = try meet(ben, ann)
    #expect(again.context == id && again.generation == 2)
  }

  @Test("2.9 a match of the pair that is under way goes on to its end, and no other is joined")
  func match() throws {
    let id = try world.driver.pair(ann, ben)
    let ours = try world.driver.join(id, as: ann, session: 1, seat: 1)
    let theirs = try world.driver.join(id, as: ben, session: 2, seat: 2)
    _ = try world.driver.takePushes(MatchPlayerChanged.self)
    try world.block(ben, by: ann)
    for player in [ann, ben] {
      #expect(try world.list(player).isEmpty)
      #expect(failure { try world.get(id, player) }?.code == .notFound)
    }
    #expect(try world.driver.takePushes(MatchPlayerChanged.self).isEmpty)
    #expect(try world.driver.takePushes(MatchEnded.self).isEmpty, "the blocked one cannot tell")
    // Clients join again every ten seconds, and after a lost connection.
    let again = try world.driver.join(
      id, as: ben, session: 3, seat: 2, number: theirs.number)
    #expect(again.number == ours.number && again.hasBegun)
    #expect(failure { try world.driver.join(id, as: cho, session: 4, seat: 4) }?.code == .notFound)
    try world.driver.restart()
    for (player, session) in [(ann, UInt64(5)), (ben, 6)] {
      let revived = try world.driver.join(
        id, as: player, session: session, seat: session - 4, number: ours.number)
      #expect(revived.number == ours.number)
    }
    var leave = LeaveMatch()
    (leave.context, leave.seat) = (id, 1)
    try world.driver.call(leave, as: ann)
    #expect(try world.driver.takePushes(MatchEnded.self).count == 1)
    let over = failure { try world.driver.join(id, as: ben, session: 6, seat: 2, startsNew: true) }
    #expect(over?.code == .notFound)
  }

  @Test("2.9 a match that the pair has not begun ends with its context")
  func unbegunMatch() throws {
    let id = try world.driver.pair(ann, ben)
    try world.driver.join(id, as: ann, session: 1, seat: 1)
    try world.block(ben, by: ann)
    #expect(failure { try world.driver.join(id, as: ann, session: 1, seat: 1) }?.code == .notFound)
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

  @Test("2.9 a group that is not there is refused after the same questions as one behind a block")
  func sameQuestions() throws {
    let (open, shut) = (try world.group(ann, ben, policy: .open), try world.group(ann, ben))
    world.book.blocks = [ben: [cho]]
    for id in [open, shut, .sample(99)] {
      world.asked = []
      #expect(failure { try world.join(id, cho) }?.code == .notFound)
      #expect(world.asked == [FetchBlocks.opcode, FetchPlayer.opcode], "\(id)")
    }
  }

  @Test("2.9 the blocked one gets the same answer from a full group as from one that is not there")
  func full() throws {
    let id = try world.group(ann, ben, policy: .open, sizeMax: 2)
    world.book.blocks = [ben: [cho]]
    #expect(failure { try world.join(id, cho) }?.code == .notFound)
    #expect(failure { try world.join(id, dan) }?.code == .limitReached)
  }

  @Test("2.9 an invitation needs that neither blocks the other; of third ones nobody learns")
  func inviting() throws {
    let id = try world.group(ann, ben)
    for blocks in [[ann: [cho]], [cho: [ann]]] as [[PlayerID: Set<PlayerID>]] {
      world.book.blocks = blocks
      #expect(try world.invite([cho], to: id, by: ann) == [.notReachable], "\(blocks)")
    }
    // Dan and eve are told apart neither from each other nor from fay, until they arrive.
    world.book.blocks = [ben: [dan], eve: [ben]]
    #expect(
      try world.invite([dan, eve, fay], to: id, by: ann) == [.invited, .invited, .invited])
    for player in [dan, eve] {
      #expect(failure { try world.enter(id, player) }?.code == .notFound)
    }
    #expect(try world.enter(id, fay).size == 5)
  }

  @Test("2.9 whoever is invited to the longest group needs no block list but the own one")
  func noLists() throws {
    let id = try world.group(ann, ben, policy: .byRequest)
    world.book.blocks = [ben: Set((1000..<2000).map { .sample($0) })]
    try world.join(id, cho)
    for operation in [InviteToContext.needs, AnswerContextRequest.needs] {
      #expect(!operation.contains { $0.opcode == FetchBlocks.opcode })
    }
    world.asked = []
    try world.answer(id, cho, by: ann)
    try world.invite([dan], to: id, by: ann)
    #expect(!world.asked.contains(FetchBlocks.opcode))
  }

  @Test("2.9 an invitation that was under way when the player blocked the inviter does not come")
  func crossingInvitation() throws {
    let id = try world.group(ann, ben, cho)
    try world.forgetEvents()
    try inviteUndelivered(dan, to: id, by: ann)
    try world.tellBlock(ann, by: dan, true, at: world.driver.clock)
    #expect(try world.list(dan).isEmpty)
    #expect(failure { try world.enter(id, dan) }?.code == .notFound)
    #expect(try world.get(id, ann).size == 3 && world.list(ben).first?.size == 3)
    let events = try world.driver.takeEffects(AppendEvent.self).map(\.operation)
    let invitation = events.first { $0.kind == ContextInvitation.opcode.rawValue }
    #expect(invitation?.isUnlessBlocked == true && invitation?.sender == ann)
    #expect(
      !events.contains { $0.player == dan && $0.kind != ContextInvitation.opcode.rawValue })
  }

  @Test("2.9 an invitation that was under way when the inviter blocked the player does not stay")
  func crossingBlockOfInviter() throws {
    let id = try world.group(ann, ben)
    try inviteUndelivered(dan, to: id, by: ann)
    // Ann's list has told dan's before the context has.
    var news = RecordBlock()
    (news.player, news.other, news.isBlocked) = (dan, ann, true)
    (news.time, news.part) = (world.driver.clock, .invitationsOfBlocker)
    try world.driver.call(news, as: PlayerID(), kind: .service)
    try world.driver.restart()
    try world.driver.deliverOwnEffects()
    #expect(try world.list(dan).isEmpty)
    #expect(try world.get(id, ann).size == 2 && world.list(ben).first?.size == 2)
    // Unblocked and invited again, the player is listed.
    try world.tellBlock(dan, by: ann, false, at: world.driver.clock)
    #expect(world.driver.rows[28]?.isEmpty == true)
    world.driver.clock += 5
    try world.invite([dan], to: id, by: ann)
    #expect(try world.list(dan).map(\.context) == [id])
  }

  @Test("2.9 a further step of a block that is over by then does not bring it back")
  func restAfterUnblock() throws {
    func tell(_ isBlocked: Bool, _ part: BlockPart) throws {
      var news = RecordBlock()
      (news.player, news.other, news.isBlocked) = (dan, ann, isBlocked)
      (news.time, news.part) = (world.driver.clock, part)
      try world.driver.call(news, as: PlayerID(), kind: .service)
    }
    for _ in 0..<65 { _ = try world.create(ann, inviting: [dan]) }
    try world.forgetEvents()
    try tell(true, .invitationsOfBlocker)
    let rest = try world.driver.takeEffects(RecordBlock.self).map(\.operation)
    #expect(rest.map(\.part) == [.restOfInvitationsOfBlocker])
    try tell(false, .invitationsOfBlocker)
    for step in rest { try world.driver.call(step, as: PlayerID(), kind: .service) }
    try world.driver.deliverOwnEffects()
    #expect(world.driver.rows[28]?.isEmpty != false)
    #expect(try world.list(dan).isEmpty)
  }

  @Test(
    "2.9 a block withdraws invitations between the two, whoever made it, without a word",
    arguments: [true, false])
  func pendingInvitation(byInvited: Bool) throws {
    let id = try world.group(ann, ben)
    try world.invite([dan, eve], to: id, by: ann)
    try world.invite([fay], to: id, by: ben)
    try world.forgetEvents()
    try world.driver.restart()
    let (one, other) = byInvited ? (dan, ann) : (ann, dan)
    try world.block(other, by: one)
    #expect(try world.list(dan).isEmpty)
    #expect(try world.get(id, ann).players.map(\.player) == [ann, ben, eve, fay])
    #expect(try world.list(ann).first?.size == 4)
    #expect(world.driver.effects.isEmpty, "nobody is told")
    #expect(failure { try world.enter(id, dan) }?.code == .notFound)
    // Others' invitations stay, and so does who has come.
    try world.enter(id, eve)
    try world.block(eve, by: ann)
    #expect(try world.list(eve).map(\.context) == [id] && world.get(id, eve).size == 4)
  }

  @Test("2.9 news of a block that come late withdraw no invitation that was sent after it")
  func lateBlockOfInviter() throws {
    let id = try world.group(ann, ben)
    let blockedAt = world.driver.clock
    world.driver.clock += 5
    try world.invite([dan], to: id, by: ann)
    try world.tellBlock(ann, by: dan, true, at: blockedAt)
    try world.tellBlock(dan, by: ann, true, at: blockedAt)
    #expect(try world.list(dan).map(\.context) == [id])
    #expect(try world.enter(id, dan).size == 3)
  }

  @Test("2.9 many invitations are withdrawn in steps")
  func manyInvitations() throws {
    let groups = try (0..<70).map { _ in try world.create(ann, inviting: [dan]).info.context }
    try world.forgetEvents()
    var news = RecordBlock()
    (news.player, news.other, news.isBlocked, news.time) = (dan, ann, true, world.driver.clock)
    try world.driver.call(news, as: PlayerID(), kind: .service)
    let first = world.driver.effects.count { $0.opcode == WithdrawInvitation.opcode.rawValue }
    #expect(first == 64)
    try world.driver.deliverOwnEffects()
    #expect(try world.list(dan).isEmpty)
    for id in groups { #expect(try world.get(id, ann).size == 1) }
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

  @Test("2.9 an answered request brings nobody to a player whom a block keeps apart, nor tells it")
  func requests() throws {
    let id = try world.group(ann, ben, policy: .byRequest)
    for player in [cho, dan, eve] { try world.join(id, player) }
    world.book.blocks = [ben: [cho], dan: [ben]]
    for (size, player) in [(UInt32(3), cho), (4, dan), (5, eve)] {
      #expect(try world.answer(id, player, by: ann).size == size)
    }
    for player in [cho, dan] {
      #expect(failure { try world.enter(id, player) }?.code == .notFound)
    }
    #expect(try world.enter(id, eve).size == 5)
  }

  @Test("2.9 a request that is accepted by somebody whom its player blocks is taken out again")
  func blockedModerator() throws {
    let id = try world.group(ann, ben, policy: .byRequest)
    try world.join(id, cho)
    try world.block(ann, by: cho)
    #expect(try world.get(id, ann).details?.requests == [cho])
    try world.answer(id, cho, by: ann)
    #expect(try world.list(cho).isEmpty && world.get(id, ann).size == 2)
    #expect(try world.get(id, ann).details?.requests == [])
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

  private func inviteUndelivered(
    _ player: PlayerID, to context: ContextID, by inviter: PlayerID
  ) throws {
    var operation = InviteToContext()
    (operation.context, operation.players) = (context, [player])
    try world.driver.ask(operation, as: inviter, world.book)
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
