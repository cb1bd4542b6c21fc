import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct GroupTests {
  let world = GroupWorld()

  @Test("1.4 1.8 a group is created with friends invited, and each learns what became of it")
  func create() throws {
    world.book.friends = [[ann, ben]]
    let reply = try world.create(ann, .open, inviting: [ben, cho, ben, ann], name: "Crew")
    #expect(reply.outcomes.map(\.outcome) == [.invited, .notReachable, .alreadyIn, .alreadyIn])
    #expect(reply.info.form == .group && reply.info.size == 2 && reply.info.name == "Crew")
    #expect(
      reply.info.players == [
        ContextPlayer(player: ann, role: .owner, state: .active),
        ContextPlayer(player: ben, role: .participant, state: .invited),
      ])
    #expect(try world.driver.current(ann) == reply.info.context)
    let invitations = try world.events(ContextInvitation.self)
    #expect(invitations.map(\.player) == [ben] && invitations.first?.event.inviter == ann)
    #expect(try world.list(ben).map(\.name) == ["Crew"] && world.list(cho).isEmpty)
    #expect(try world.enter(reply.info.context, ben).players.last?.state == .active)
  }

  @Test("1.4 what nobody may ask for in a group is refused, in the order of the message's page")
  func faults() throws {
    func fault(_ set: (inout CreateGroupContext) -> Void) -> String? {
      var operation = CreateGroupContext()
      set(&operation)
      return operation.fault.map { "\($0.code.rawValue) \($0.argument)" }
    }
    let invalid = FailureCode.invalidArgument.rawValue
    for size in [UInt32(0), 1, 101, .max] {
      #expect(fault { $0.sizeMax = size } == "\(invalid) sizeMax")
    }
    for size in [UInt32(2), 100] { #expect(fault { $0.sizeMax = size } == nil) }
    #expect(fault { $0.policy = JoinPolicy(rawValue: 9) } == "\(invalid) policy")
    #expect(fault { $0.name = String(repeating: "é", count: 50) } == nil)
    #expect(fault { $0.name = String(repeating: "é", count: 51) } == "\(invalid) name")
    #expect(fault { $0.name = "two\nlines" } == "\(invalid) name")
    let many = (1...21).map { PlayerID.sample($0) }
    #expect(fault { $0.players = many } == "\(FailureCode.limitReached.rawValue) players")
    let crowd = failure { try world.create(sizeMax: 2, inviting: [ben, cho]) }
    #expect(crowd?.code == .limitReached && crowd?.argument == "players")
  }

  @Test("1.4 whoever knows an open group enters it, and it becomes current")
  func open() throws {
    let id = try world.group(ann, policy: .open)
    try world.forgetEvents()
    let info = try world.join(id, ben)
    #expect(info.size == 2 && info.players.last?.player == ben)
    #expect(try world.driver.current(ben) == id && world.list(ben).map(\.context) == [id])
    #expect(try world.list(ann).first?.size == 2)
    let events = try world.events(ContextPlayerChanged.self)
    #expect(events.map(\.player) == [ann] && events.first?.event.state == .active)
    #expect(try world.join(id, ben).size == 2, "whoever is in it stays in it")
  }

  @Test("1.4 whoever moderates no more knows no link that opens the group")
  func linkOfFormerModerators() throws {
    let id = try world.group(ann, ben, cho, dan, policy: .byLink)
    func link() throws -> ContextLink? { try world.get(id, ann).details?.link }
    for player in [ben, cho] { try world.change(id, player, to: .moderator, by: ann) }
    let first = try link()
    try world.remove(dan, from: id, by: ann)
    #expect(try link() == first, "a participant has not known it")
    try world.change(id, ben, to: .participant, by: ann)
    let second = try link()
    #expect(second != first)
    #expect(failure { try world.join(id, eve, link: first ?? ContextLink()) }?.code == .notFound)
    try world.remove(cho, from: id, by: ann)
    let third = try link()
    #expect(third != second)
    try world.settings(id, by: ann) { $0.policy = .byInvite }
    try world.settings(id, by: ann) { $0.policy = .byLink }
    #expect(try link() != third)
    #expect(failure { try world.join(id, eve, link: third ?? ContextLink()) }?.code == .notFound)
    #expect(try world.join(id, eve, link: try link() ?? ContextLink()).size == 3)
  }

  @Test("1.8 2.9 all devices of a player are told that it is in a context no more")
  func devices() throws {
    func told() throws -> [PlayerID] {
      try world.driver.takeHints(ContextLeft.self).map(\.player).sorted()
    }
    let group = try world.group(ann, ben, cho)
    #expect(try told().isEmpty)
    try world.leave(group, ben)
    #expect(try told() == [ben])
    try world.remove(cho, from: group, by: ann)
    #expect(try told() == [cho])
    try world.close(group, by: ann)
    #expect(try told() == [ann])
    let pair = try world.driver.pair(ann, ben)
    try world.block(ann, by: ben)
    let hints = try world.driver.takeHints(ContextLeft.self)
    #expect(hints.map(\.player).sorted() == [ann, ben])
    #expect(hints.allSatisfy { $0.event.context == pair })
  }

  @Test("1.4 a link's secret opens a group, until there is another link or policy")
  func link() throws {
    let reply = try world.create(ann, .byLink)
    let (id, link) = (reply.info.context, reply.info.details?.link ?? ContextLink())
    #expect(!link.isNil)
    for wrong in [ContextLink(), .sample(7)] {
      #expect(failure { try world.join(id, ben, link: wrong) }?.code == .notFound)
    }
    try world.join(id, ben, link: link)
    #expect(try world.get(id, ben).details?.link.isNil == true, "participants are not told it")
    let next = try world.settings(id, by: ann) { $0.renewsLink = true }.details?.link
    #expect(next != link && failure { try world.join(id, cho, link: link) }?.code == .notFound)
    #expect(try world.join(id, cho, link: next ?? ContextLink()).size == 3)
    try world.settings(id, by: ann) { $0.policy = .byInvite }
    #expect(failure { try world.join(id, dan, link: next ?? ContextLink()) }?.code == .notFound)
  }

  @Test("1.4 a request takes no place until it is accepted, and both answers are told")
  func requests() throws {
    let id = try world.group(ann, ben, policy: .byRequest, sizeMax: 3)
    try world.change(id, ben, to: .moderator, by: ann)
    try world.forgetEvents()
    let waiting = try world.join(id, cho)
    #expect(waiting.players.map(\.state) == [.requested] && waiting.players.map(\.player) == [cho])
    #expect(waiting.size == 2 && waiting.details == nil)
    try world.join(id, dan)
    try world.join(id, dan)
    let asked = try world.events(ContextJoinRequested.self)
    #expect(
      asked.map { [$0.player, $0.event.player] } == [
        [ann, cho], [ben, cho], [ann, dan], [ben, dan],
      ])
    #expect(try world.get(id, ben).details?.requests == [cho, dan] && world.get(id, ann).size == 2)
    #expect(try world.list(cho).isEmpty)
    #expect(try world.answer(id, cho, by: ben).size == 3)
    let full = failure { try world.answer(id, dan, by: ann) }
    #expect(full?.code == .limitReached && full?.argument == "context")
    #expect(try world.get(id, ann).details?.requests == [dan], "it waits on")
    try world.answer(id, dan, false, by: ann)
    let answers = try world.events(ContextRequestAnswered.self)
    #expect(
      answers.map(\.player) == [cho, dan] && answers.map(\.event.isAccepted) == [true, false])
    #expect(try world.list(cho).map(\.context) == [id])
    #expect(try world.enter(id, cho).players.last?.state == .active)
    #expect(failure { try world.enter(id, dan) }?.code == .notFound)
    #expect(failure { try world.answer(id, dan, by: ann) }?.argument == "player")
  }

  @Test("1.4 a request is taken back by leaving, and none is open after the group has closed")
  func requestTakenBack() throws {
    let id = try world.group(ann, policy: .byRequest)
    for player in [ben, cho] { try world.join(id, player) }
    try world.leave(id, ben)
    #expect(try world.get(id, ann).details?.requests == [cho])
    try world.forgetEvents()
    try world.close(id, by: ann)
    #expect(try world.events(ContextRequestAnswered.self).map(\.player) == [cho])
    #expect(try world.reopen(id, by: ann).details?.requests == [])
  }

  @Test("1.4 a group is never larger than its bound, and invited players count")
  func size() throws {
    let id = try world.create(ann, .open, sizeMax: 3, inviting: [ben]).info.context
    #expect(try world.invite([cho, dan], to: id, by: ann) == [.invited, .full])
    let full = failure { try world.join(id, eve) }
    #expect(full?.code == .limitReached && full?.argument == "context")
    try world.enter(id, ben)
    try world.leave(id, cho)
    #expect(try world.join(id, eve).size == 3)
    let small = failure { try world.settings(id, by: ann) { $0.sizeMax = 2 } }
    #expect(small?.code == .invalidArgument && small?.argument == "sizeMax")
  }

  @Test("1.8 owners hand their role over, moderators help, and each may what the role allows")
  func roles() throws {
    let id = try world.group(ann, ben, cho, dan)
    #expect(failure { try world.remove(cho, from: id, by: ben) }?.code == .notAllowed)
    #expect(failure { try world.change(id, ben, to: .owner, by: ben) }?.code == .notAllowed)
    try world.change(id, ben, to: .moderator, by: ann)
    try world.change(id, cho, to: .moderator, by: ann)
    #expect(failure { try world.remove(cho, from: id, by: ben) }?.argument == "player")
    #expect(failure { try world.remove(ann, from: id, by: ben) }?.argument == "player")
    #expect(failure { try world.settings(id, by: ben) { $0.sizeMax = 9 } }?.code == .notAllowed)
    try world.forgetEvents()
    let info = try world.change(id, ben, to: .owner, by: ann)
    #expect(info.players.map(\.role) == [.moderator, .owner, .moderator, .participant])
    let told = try world.events(ContextPlayerChanged.self)
    #expect(Set(told.map(\.player)) == [ben, cho, dan], "the one whom it concerns, too")
    #expect(told.filter { $0.player == dan }.map(\.event.role) == [.owner, .moderator])
    #expect(failure { try world.change(id, ann, to: .participant, by: ann) }?.code == .notAllowed)
    for (player, role, argument) in [
      (ben, ContextRole.participant, "player"), (eve, .moderator, "player"),
      (cho, ContextRole(rawValue: 8), "role"),
    ] {
      #expect(failure { try world.change(id, player, to: role, by: ben) }?.argument == argument)
    }
  }

  @Test("1.8 a leaving owner's role goes to a moderator first, and everybody is told")
  func heirs() throws {
    let id = try world.group(ann, ben, cho)
    try world.invite([dan], to: id, by: ann)
    try world.change(id, cho, to: .moderator, by: ann)
    try world.forgetEvents()
    try world.leave(id, ann)
    let told = try world.events(ContextPlayerChanged.self).filter { $0.event.role == .owner }
    #expect(told.map(\.event.player) == [cho, cho, cho] && told.map(\.player) == [ben, cho, dan])
    try world.leave(id, cho)
    #expect(try world.get(id, ben).players.first { $0.player == ben }?.role == .owner)
  }

  @Test("1.8 with the last one who has come a group closes: nobody who never came owns it")
  func lastActive() throws {
    let id = try world.create(ann, inviting: [ben, cho]).info.context
    try world.forgetEvents()
    try world.leave(id, ann)
    #expect(try world.events(ContextClosed.self).map(\.player) == [ben, cho])
    for player in [ben, cho] {
      #expect(try world.list(player).isEmpty)
      #expect(failure { try world.enter(id, player) }?.code == .notFound)
      #expect(failure { try world.reopen(id, by: player) }?.code == .notFound)
    }
    #expect(try world.reopen(id, by: ann).players.map(\.role) == [.owner])
  }

  @Test("1.8 a removed player comes back only by an invitation of a moderator or the owner")
  func removal() throws {
    let id = try world.group(ann, ben, cho, policy: .open)
    try world.forgetEvents()
    try world.remove(cho, from: id, by: ann)
    let told = try world.events(ContextPlayerChanged.self)
    #expect(told.map(\.player) == [ben, cho] && told.allSatisfy { $0.event.state == .removed })
    #expect(try world.driver.current(cho) == nil && world.list(cho).isEmpty)
    #expect(failure { try world.join(id, cho) }?.code == .notFound)
    #expect(failure { try world.get(id, cho) }?.code == .notFound)
    #expect(try world.invite([cho], to: id, by: ben) == [.removed])
    try world.driver.restart()
    #expect(failure { try world.join(id, cho) }?.code == .notFound)
    #expect(try world.invite([cho], to: id, by: ann) == [.invited])
    try world.enter(id, cho)
    try world.leave(id, cho)
    #expect(try world.join(id, cho).size == 3, "it was forgiven")
  }

  @Test("1.8 a closed group opens as a new generation, for who owned it, without who was removed")
  func reopening() throws {
    let id = try world.group(ann, ben, cho, dan, policy: .open)
    try world.change(id, ben, to: .owner, by: ann)
    try world.remove(cho, from: id, by: ann)
    let link = try world.get(id, ben).details?.link
    try world.forgetEvents()
    #expect(failure { try world.close(id, by: ann) }?.code == .notAllowed)
    try world.close(id, by: ben)
    #expect(try world.events(ContextClosed.self).map(\.player) == [ann, dan])
    for player in [ann, ben, cho, dan] {
      #expect(try world.list(player).isEmpty && world.driver.current(player) == nil)
      #expect(failure { try world.get(id, player) }?.code == .notFound)
    }
    try world.driver.restart()
    for player in [cho, dan, eve] {
      #expect(failure { try world.reopen(id, by: player) }?.code == .notFound)
      #expect(failure { try world.join(id, player) }?.code == .notFound)
    }
    let info = try world.reopen(id, by: ann)
    #expect(info.generation == 2 && info.createdAt == world.driver.clock && info.policy == .open)
    #expect(info.players == [ContextPlayer(player: ann, role: .owner, state: .active)])
    #expect(info.details?.link != link)
    #expect(failure { try world.reopen(id, by: ann) }?.code == .conflict)
    #expect(failure { try world.reopen(id, by: ben) }?.code == .notFound)
    #expect(failure { try world.join(id, cho) }?.code == .notFound)
    #expect(try world.join(id, dan).size == 2)
  }

  @Test("1.8 a closed group is forgotten after its time, or at once")
  func forgetting() throws {
    func count(_ player: PlayerID) throws -> UInt32 {
      var question = FetchOpenedContexts()
      question.player = player
      return try world.driver.call(question, as: ann, kind: .service).groups
    }
    let (one, two) = (try world.group(ann, ben), try world.group(ann, ben))
    var reachable = FetchPlayer.Reply()
    reachable.isReachable = true
    let facts = Facts(
      [ann, ben].flatMap {
        [
          Fact(FetchBlocks.self, at: $0, FetchBlocks.Reply()),
          Fact(FetchPlayer.self, at: $0, reachable),
        ]
      })
    for id in [one, two] {
      for (player, seat) in [(ann, UInt64(1)), (ben, 2)] {
        var join = JoinMatch()
        (join.context, join.seat) = (id, seat)
        try world.driver.call(join, as: player, facts: facts, session: seat)
      }
      var start = StartTurnGame()
      (start.context, start.players) = (id, [ann, ben])
      try world.ask(start, as: ann)
    }
    #expect(world.driver.rows[19]?.count == 2 && world.driver.rows[32]?.count == 2)
    #expect(try count(ann) == 2)
    // Who leaves a group has opened it all the same.
    try world.leave(one, ann)
    #expect(try count(ann) == 2 && count(ben) == 0)
    try world.close(two, by: ann, isForGood: true)
    #expect(try count(ann) == 1)
    #expect(world.driver.rows[19]?.count == 1, "the match goes with its group")
    #expect(failure { try world.reopen(two, by: ann) }?.code == .notFound)
    try world.close(one, by: ben)
    world.driver.pass(29 * 86_400_000)
    #expect(try world.reopen(one, by: ann).generation == 2)
    world.driver.pass(2 * 86_400_000)
    #expect(try world.get(one, ann).size == 1, "it is open")
    try world.close(one, by: ann)
    world.driver.pass(30 * 86_400_000)
    try world.driver.deliverOwnEffects()
    #expect(failure { try world.reopen(one, by: ann) }?.code == .notFound)
    #expect(try count(ann) == 0 && world.driver.rows[16]?.isEmpty == true)
    #expect(world.driver.rows[26]?.isEmpty == true)
    for table in [UInt16(19)] + (32...38) {
      #expect(world.driver.rows[table]?.isEmpty != false, "table \(table)")
    }
  }

  @Test("1.8 settings change what they name, and the others are told what they are")
  func settings() throws {
    let id = try world.group(ann, ben)
    try world.forgetEvents()
    let info = try world.settings(id, by: ann) {
      ($0.name, $0.sizeMax, $0.policy) = ("e\u{301}", 5, .open)
    }
    #expect((info.name, info.sizeMax, info.policy) == ("é", 5, .open))
    #expect(info.name.utf8.count == 2, "it is kept in normal form")
    let told = try world.events(ContextSettingsChanged.self)
    #expect(told.map(\.player) == [ben] && told.first?.event.name == "é")
    try world.settings(id, by: ann) { $0.renewsLink = true }
    #expect(try world.events(ContextSettingsChanged.self).isEmpty)
    #expect(try world.list(ben).first?.policy == .open)
  }

  @Test("1.8 pairs, solo and matched contexts have none of this")
  func otherForms() throws {
    let solo = try world.driver.createSolo(ann).context
    let pair = try world.driver.pair(ann, ben)
    for id in [solo, pair] {
      let refusals = [
        failure { try world.invite([cho], to: id, by: ann) },
        failure { try world.remove(ben, from: id, by: ann) },
        failure { try world.close(id, by: ann) },
        failure { try world.settings(id, by: ann) { $0.sizeMax = 5 } },
        failure { try world.change(id, ben, to: .owner, by: ann) },
        failure { try world.answer(id, ben, by: ann) },
      ]
      #expect(refusals.allSatisfy { $0?.code == .notAllowed && $0?.argument == "context" })
      #expect(failure { try world.join(id, cho) }?.code == .notFound)
    }
    #expect(try world.join(pair, ben).context == pair, "as with SwitchContext")
  }
}
