import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct MatchInviteTests {
  let world = QueueWorld()
  private var driver: ContextDriver { world.driver }

  /// Invites as a gateway would bring the call.
  private func invite(
    _ recipients: [PlayerID], as inviter: PlayerID = ann, friends: [PlayerID]? = nil,
    unreachable: Set<PlayerID> = [], blocked: [PlayerID] = [],
    _ change: (inout InvitePlayers) -> Void = { _ in }
  ) throws -> MatchInviteID {
    var operation = InvitePlayers()
    operation.recipients = recipients
    operation.criteria = MatchCriteria(2, 4)
    change(&operation)
    var known = FetchFriends.Reply()
    known.friends = friends ?? recipients
    var own = FetchBlocks.Reply()
    own.blocked = blocked
    var facts = [
      Fact(FetchFriends.self, at: inviter, known), Fact(FetchBlocks.self, at: inviter, own),
    ]
    facts += recipients.map { reachable($0, !unreachable.contains($0)) }
    if let party = operation.party {
      var reply = FetchParty.Reply()
      reply.players = [inviter, cho] + (operation.match == 0 ? [ben] : [])
      facts.append(Fact(FetchParty.self, at: party, reply))
    }
    let invite = try driver.call(operation, as: inviter, facts: Facts(facts)).invite
    try world.settle()
    return invite
  }

  private func reachable(_ player: PlayerID, _ isReachable: Bool) -> Fact {
    var reply = FetchPlayer.Reply()
    reply.isReachable = isReachable
    return Fact(FetchPlayer.self, at: player, reply)
  }

  @discardableResult
  private func answer(
    _ invite: MatchInviteID, _ answer: MatchInviteAnswer, as player: PlayerID,
    blocked: [PlayerID] = [], blockedBy: Set<PlayerID> = []
  ) throws -> MatchInviteAnswer {
    var operation = AnswerMatchInvite()
    operation.inviter = ann
    operation.invite = invite
    operation.answer = answer
    var own = FetchBlocks.Reply()
    own.blocked = blocked
    var facts = [Fact(FetchBlocks.self, at: player, own)]
    facts += [ann, ben, cho, .sample(4)].map { reachable($0, !blockedBy.contains($0)) }
    let reply = try driver.call(operation, as: player, facts: Facts(facts)).answer
    try world.settle()
    return reply
  }

  private func take<E: Event>(_ type: E.Type) throws -> [(player: PlayerID, event: E)] {
    let all = world.others.filter { $0.kind == E.opcode.rawValue }
    world.others.removeAll { $0.kind == E.opcode.rawValue }
    return try all.map { ($0.player, try E(decoding: $0.body.array)) }
  }

  @Test("3.6 those who accept get a match when all have answered, and the inviter hears each")
  func accepted() throws {
    let invite = try invite([ben, cho]) { $0.message = "Come!" }
    let told = try take(MatchInvitation.self)
    #expect(told.map(\.player) == [ben, cho])
    #expect(told.allSatisfy { $0.event.invite == invite && $0.event.message == "Come!" })
    try answer(invite, .accepted, as: ben)
    #expect(world.found.isEmpty)
    try driver.restart()
    try answer(invite, .declined, as: cho)
    let answers = try take(MatchInviteAnswered.self)
    #expect(answers.map(\.player) == [ann, ann])
    #expect(answers.map(\.event.player) == [ben, cho])
    #expect(answers.map(\.event.answer) == [.accepted, .declined])
    let context = try #require(world.found.first?.event.context)
    #expect(world.takeFound().values.map { $0 } == [[ann, ben]])
    #expect(try driver.get(context, as: ben).players.map(\.state) == [.active, .active])
    #expect(failure { _ = try driver.get(context, as: cho) }?.code == .notFound)
    let ended = try take(MatchInviteEnded.self)
    #expect(ended.map(\.player) == [ann, ben] && ended.allSatisfy { $0.event.context == context })
  }

  @Test(
    "3.6 every answer is told to the inviter, the first one counts",
    arguments: [
      MatchInviteAnswer.declined, .failed, .incompatible, .unableToConnect,
    ])
  func answers(_ given: MatchInviteAnswer) throws {
    let invite = try invite([ben, cho])
    #expect(try answer(invite, given, as: ben) == given)
    #expect(try answer(invite, given, as: ben) == given)
    let other = failure { try answer(invite, .accepted, as: ben) }
    #expect(given == .unableToConnect ? other == nil : other?.code == .conflict)
    #expect(try take(MatchInviteAnswered.self).map(\.event.answer) == [given])
    for wrong in [MatchInviteAnswer.pending, .noAnswer, .init(rawValue: 99)] {
      let refused = failure { try answer(invite, wrong, as: cho) }
      #expect(refused?.code == .invalidArgument && refused?.argument == "answer")
    }
    let list = try driver.call(ListMatchInvites(), as: ann).invites
    #expect(list.map(\.recipients.first?.answer) == [given])
  }

  @Test("3.6 2.9 one who blocks the inviter is told nothing and looks like one who does not answer")
  func blockedInviter() throws {
    let first = try invite([ben], unreachable: [ben])
    #expect(try take(MatchInvitation.self).isEmpty)
    let gone = failure { try answer(first, .accepted, as: ben) }
    let unknown = failure { try answer(.sample(5), .accepted, as: ben) }
    #expect(gone == unknown && gone?.code == .notFound)
    let second = try invite([cho])
    try world.pass(59_999)
    #expect(try take(MatchInviteAnswered.self).isEmpty)
    try world.pass(1)
    let answers = try take(MatchInviteAnswered.self)
    #expect(Set(answers.map(\.event.invite)) == [first, second])
    #expect(answers.allSatisfy { $0.player == ann && $0.event.answer == .noAnswer })
    #expect(world.found.isEmpty)
    #expect(failure { try answer(second, .accepted, as: cho) }?.code == .notFound)
  }

  @Test("3.6 2.9 an inviter who blocked a player meanwhile is not put together with them")
  func blockedMeanwhile() throws {
    let invite = try invite([ben, cho])
    #expect(failure { try answer(invite, .accepted, as: ben, blockedBy: [ann]) }?.code == .notFound)
    #expect(failure { try answer(invite, .accepted, as: ben, blocked: [ann]) }?.code == .notFound)
    try answer(invite, .accepted, as: cho)
    #expect(try answer(invite, .accepted, as: ben, blockedBy: [cho]) == .unableToConnect)
    #expect(world.takeFound().values.map { $0 } == [[ann, cho]])
  }

  @Test("3.6 only friends, and those in the same context, can be invited")
  func whom() throws {
    let stranger = failure { _ = try invite([ben], friends: [cho]) }
    #expect(stranger?.code == .notReachable && stranger?.argument == "recipients")
    let own = failure { _ = try invite([ben], blocked: [ben]) }
    #expect(own == stranger)
    _ = try invite([cho], friends: []) { $0.party = .sample(9) }
    #expect(try take(MatchInvitation.self).map(\.player) == [cho])
    #expect(failure { _ = try invite([]) }?.code == .requiredArgument)
    #expect(failure { _ = try invite([ben, ben]) }?.argument == "recipients")
    let tooMany = failure { _ = try invite([ben, cho]) { $0.criteria.maxPlayers = 2 } }
    #expect(tooMany?.argument == "recipients")
  }

  @Test("3.6 2.10 open invitations are bounded, and many in a row are refused for a while")
  func bounds() throws {
    for _ in 0..<MatchmakingLimits.openInvitesMax { _ = try invite([ben]) }
    let refused = failure { _ = try invite([ben]) }
    #expect(refused?.code == .limitReached)
    let others = (0..<15).map { QueueWorld.player($0) }
    var limited: Failure?
    for _ in 0..<5 where limited == nil {
      let sent = try? invite(others, as: cho) { $0.criteria.maxPlayers = 16 }
      guard let sent else {
        limited = failure { _ = try invite(others, as: cho) { $0.criteria.maxPlayers = 16 } }
        break
      }
      var cancel = CancelMatchInvite()
      cancel.invite = sent
      try driver.call(cancel, as: cho)
    }
    #expect(limited?.code == .rateLimited && (limited?.retryAfterMilliseconds ?? 0) > 0)
  }

  @Test(
    "3.6 2.9 2.10 whoever is invited by many gets no more for a while, and looks like a blocker",
    arguments: [false, true])
  func recipientBudget(isBlocked: Bool) throws {
    let party = ContextID.sample(9)
    func ask(_ number: Int, blocked: Bool = false) throws -> MatchInviteID {
      try invite(
        [ben], as: QueueWorld.player(number), friends: [], unreachable: blocked ? [ben] : []
      ) { $0.party = party }
    }
    for number in 0..<30 { _ = try ask(number) }
    #expect(try take(MatchInvitation.self).count == 30)
    try driver.restart()
    let last = try ask(30, blocked: isBlocked)
    #expect(try take(MatchInvitation.self).isEmpty, "the budget is kept")
    #expect(try take(MatchInviteAnswered.self).isEmpty)
    let list = try driver.call(ListMatchInvites(), as: QueueWorld.player(30)).invites
    #expect(list.map(\.recipients.first?.answer) == [.pending])
    // Friends are not kept from inviting by others.
    _ = try invite([ben], as: cho)
    #expect(try take(MatchInvitation.self).map(\.player) == [ben])
    try world.pass(60_000)
    let answers = try take(MatchInviteAnswered.self).filter { $0.event.invite == last }
    #expect(answers.map(\.event.answer) == [.noAnswer])
    let ended = try take(MatchInviteEnded.self).filter { $0.event.invite == last }
    #expect(ended.map(\.player) == [QueueWorld.player(30)], "the recipient hears nothing of it")
    _ = try ask(31)
    #expect(try take(MatchInvitation.self).map(\.player) == [ben])
  }

  @Test(
    "3.6 2.11 one sender does not keep others from inviting a player", arguments: [false, true])
  func oneSender(isFriend: Bool) throws {
    let party = ContextID.sample(9)
    func ask(_ inviter: PlayerID) throws {
      let sent = try invite([ben], as: inviter, friends: isFriend ? [ben] : []) {
        $0.party = party
      }
      var cancel = CancelMatchInvite()
      cancel.invite = sent
      try driver.call(cancel, as: inviter)
      try world.settle()
    }
    for _ in 0..<40 { try ask(ann) }
    #expect(try take(MatchInvitation.self).count == 10)
    for number in 0..<20 { try ask(QueueWorld.player(number)) }
    #expect(try take(MatchInvitation.self).count == 20)
    try ask(QueueWorld.player(20))
    #expect(try take(MatchInvitation.self).isEmpty)
  }

  @Test("3.6 an invitation that arrives when it is over is not told")
  func late() throws {
    var offer = OfferMatchInvite()
    offer.player = ben
    offer.invitation.inviter = ann
    offer.invitation.invite = .sample(5)
    offer.invitation.expiresAt = driver.clock
    try driver.call(offer, as: PlayerID(), kind: .service)
    try world.settle()
    #expect(try take(MatchInvitation.self).isEmpty)
    offer.invitation.expiresAt += 1
    try driver.call(offer, as: PlayerID(), kind: .service)
    try world.settle()
    #expect(try take(MatchInvitation.self).map(\.player) == [ben])
  }

  @Test("3.6 2.9 who has not accepted does not hear of the end of one whom it blocks by then")
  func endUnlessBlocked() throws {
    let invite = try invite([ben, cho])
    try answer(invite, .accepted, as: cho)
    var cancel = CancelMatchInvite()
    cancel.invite = invite
    try driver.call(cancel, as: ann)
    try world.settle()
    let ended = world.others.filter { $0.kind == MatchInviteEnded.opcode.rawValue }
    #expect(ended.map(\.player) == [cho, ben] && ended.map(\.isUnlessBlocked) == [false, true])
  }

  @Test("3.6 2.9 an invitation under way is not told to a player who blocks the inviter by then")
  func underWay() throws {
    _ = try invite([ben])
    let told = world.others.filter { $0.kind == MatchInvitation.opcode.rawValue }
    #expect(told.map(\.isUnlessBlocked) == [true] && told.map(\.sender) == [ann])
  }

  @Test("3.6 an invitation that is taken back is over for those who could still answer")
  func cancelled() throws {
    let invite = try invite([ben, cho, .sample(4)], unreachable: [.sample(4)])
    try answer(invite, .declined, as: cho)
    var cancel = CancelMatchInvite()
    cancel.invite = invite
    try driver.call(cancel, as: ann)
    try world.settle()
    #expect(try take(MatchInviteEnded.self).map(\.player) == [ben])
    #expect(failure { try answer(invite, .accepted, as: ben) }?.code == .notFound)
    try world.pass(120_000)
    #expect(try take(MatchInviteAnswered.self).count == 1 && world.found.isEmpty)
  }

  @Test("3.6 2.9 one who blocks another after both accepted is in no match with them")
  func blockedAfterAccepting() throws {
    let invite = try invite([ben, cho, .sample(4)])
    try answer(invite, .accepted, as: ben)
    try answer(invite, .accepted, as: cho)
    world.blocks[ben] = [cho]
    try answer(invite, .declined, as: .sample(4))
    #expect(world.found.isEmpty)
    let ended = try take(MatchInviteEnded.self)
    #expect(ended.map(\.player) == [ann, ben, cho])
    #expect(ended.allSatisfy { $0.event.context == nil })
    try world.pass(120_000)
    #expect(world.found.isEmpty)
  }

  @Test("3.6 who accepted a running match keeps the seat when the invitation is taken back then")
  func cancelledWhileSeated() throws {
    let context = try driver.matched([ann, cho])
    try driver.join(context, as: ann, session: 1, seat: 1)
    let invite = try invite([ben, .sample(4)]) {
      $0.party = context
      $0.match = 1
    }
    var operation = AnswerMatchInvite()
    operation.inviter = ann
    operation.invite = invite
    operation.answer = .accepted
    var facts = [Fact(FetchBlocks.self, at: ben, FetchBlocks.Reply())]
    facts += [ann, ben, cho].map { reachable($0, true) }
    try driver.call(operation, as: ben, facts: Facts(facts))
    // The seat is asked for and not given yet.
    var cancel = CancelMatchInvite()
    cancel.invite = invite
    try driver.call(cancel, as: ann)
    try world.settle()
    #expect(world.takeFound() == [context: [ben]])
    #expect(try take(MatchInviteEnded.self).map(\.player) == [.sample(4), ann])
    try driver.join(context, as: ben, session: 2, seat: 1)
    #expect(try driver.call(ListMatchInvites(), as: ann).invites.isEmpty)
  }

  @Test("3.6 a player who was dropped from a running match is invited again and comes back to it")
  func reinvited() throws {
    let context = try driver.matched([ann, ben, cho])
    for (player, session) in [(ann, UInt64(1)), (ben, 2), (cho, 3)] {
      try driver.join(context, as: player, session: session, seat: session)
    }
    driver.close(session: 2)
    try world.pass(31_000)
    #expect(
      failure { try driver.join(context, as: ben, session: 4, seat: 2) }?.code == .matchEnded)
    let invite = try invite([ben]) {
      $0.party = context
      $0.match = 1
    }
    #expect(try take(MatchInvitation.self).map(\.event.context) == [context])
    #expect(try answer(invite, .accepted, as: ben) == .accepted)
    #expect(world.takeFound() == [context: [ben]])
    let back = try driver.join(context, as: ben, session: 4, seat: 5)
    #expect(back.number == 1 && back.hasBegun && back.expectedPlayerCount == 0)
  }

  @Test("3.6 seats that stay free after the answers are filled by matchmaking")
  func mixed() throws {
    let invite = try invite([ben, cho]) {
      $0.isAutomatching = true
      $0.playerGroup = "0"
      $0.criteria = MatchCriteria(3, 3)
    }
    try answer(invite, .accepted, as: ben)
    try answer(invite, .declined, as: cho)
    let ended = try take(MatchInviteEnded.self)
    #expect(ended.map(\.player) == [ann, ben])
    let ticket = try #require(ended.first?.event.ticket)
    #expect(try world.tickets(ben).map(\.ticket) == [ticket])
    try world.find(cho, MatchCriteria(2, 4))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[ann, ben, cho]])
  }

  @Test("3.6 where the queue cannot take those who accepted, they are told so")
  func refusedTicket() throws {
    try world.find(ben, MatchCriteria(5, 5))
    try world.settle()
    let invite = try invite([ben]) {
      $0.isAutomatching = true
      $0.playerGroup = "0"
      $0.criteria = MatchCriteria(3, 3)
    }
    try answer(invite, .accepted, as: ben)
    let ended = world.takeEnded()
    #expect(ended.map(\.player) == [ann, ben])
    #expect(ended.allSatisfy { $0.event.info.reason == .refused })
    #expect(try world.tickets(ann).map(\.state) == [.cancelled])
  }
}
