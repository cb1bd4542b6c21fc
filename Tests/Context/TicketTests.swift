import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct TicketTests {
  let world = QueueWorld()

  private func player(_ number: Int) -> PlayerID { QueueWorld.player(number) }

  @Test("3.2 a cancelled ticket is cancelled for good, also while its match is being confirmed")
  func cancelled() throws {
    let ticket = try world.find(player(1)).ticket
    try world.find(player(2))
    // The match is found and not confirmed yet.
    #expect(try world.cancel(ticket, as: player(1)).state == .cancelled)
    try world.settle()
    #expect(world.found.isEmpty)
    #expect(try world.cancel(ticket, as: player(1)).state == .cancelled)
    #expect(try world.tickets(player(1)).map(\.state) == [.cancelled])
    #expect(try world.tickets(player(2)).map(\.state) == [.waiting])
    try world.find(player(3))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(2), player(3)]])
  }

  @Test("3.2 who cancels after the match was found hears that it was, also after a restart")
  func cancelledTooLate() throws {
    let ticket = try world.find(player(1)).ticket
    try world.find(player(2))
    try world.settle()
    let reply = try world.cancel(ticket, as: player(1))
    #expect(reply.state == .matched && reply.context == world.found.first?.event.context)
    try world.driver.restart()
    #expect(try world.cancel(ticket, as: player(1)).context == reply.context)
    let strange = failure { _ = try world.cancel(ticket, as: player(3)) }
    #expect(strange?.code == .notFound && strange?.argument == "ticket")
  }

  @Test("3.2 a declaration is taken back: who waits keeps the place and waits on without rules")
  func takenBack() throws {
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 10)])
    _ = try world.define(QueueDefinition(lifetime: 60, rules: [skill]))
    try world.find(player(1), MatchCriteria(2, 2, skill: 0))
    try world.find(player(2), MatchCriteria(2, 2, skill: 100))
    try world.settle()
    try world.takeBack("0")
    var describe = DescribeQueue()
    describe.playerGroup = "0"
    #expect(try world.driver.call(describe, as: ann).definition.rules.isEmpty)
    let again = failure { try world.takeBack("0") }
    #expect(again?.code == .notFound && again?.argument == "playerGroup")
    try world.driver.restart()
    #expect(try world.driver.call(describe, as: ann).definition.lifetimeSeconds == 600)
    #expect(try world.tickets(player(1)).map(\.state) == [.waiting])
    // It needs no number any more, and brings those before it along.
    let third = try world.find(player(3)).ticket
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(2)]])
    #expect(world.takeEnded().isEmpty)
    #expect(world.driver.rows[42]?.count == 1)
    _ = try world.cancel(third, as: player(3))
    try world.settle()
    #expect(world.driver.rows[42]?.isEmpty == true, "nothing is left of it")
    try world.driver.restart()
    #expect(try world.define(QueueDefinition(rules: [skill])) == .created)
    try world.takeBack("0")
    #expect(world.driver.rows[42]?.isEmpty == true)
    #expect(failure { try world.takeBack("never") }?.code == .notFound)
  }

  @Test("3.2 a ticket expires, and its players are told which rule kept it from a match")
  func expired() throws {
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 5)])
    let map = MatchRule(.word, "map", [.init(after: 0)])
    let near = MatchRule(.latency, "", [.init(after: 0, limit: 50)])
    func hindrance(
      _ rules: [MatchRule], _ one: MatchCriteria, _ others: [MatchCriteria]
    ) throws -> MatchRuleKind? {
      let world = QueueWorld()
      _ = try world.define(QueueDefinition(lifetime: 30, regions: ["north"], rules: rules))
      let ticket = try world.find(player(0), one)
      try world.pass(1)
      for (number, other) in others.enumerated() { try world.find(player(number + 1), other) }
      try world.pass(29_998)
      #expect(try world.tickets(player(0)).map(\.state) == [.waiting])
      try world.pass(1)
      let ended = world.takeEnded().first { $0.player == player(0) }
      #expect(ended?.event.info.ticket == ticket.ticket)
      #expect(try world.tickets(player(0)).map(\.state) == [.expired])
      #expect(try world.tickets(player(0)).first?.hindrance == ended?.event.info.hindrance)
      return ended?.event.info.hindrance
    }
    let plain = MatchCriteria(2, 2)
    #expect(try hindrance([], plain, []) == .nobody)
    #expect(
      try hindrance([skill], MatchCriteria(2, 2, skill: 0), [MatchCriteria(2, 2, skill: 9)])
        == .number)
    let words = ["a", "b"].map { MatchCriteria(2, 2, words: [TicketWord("map", $0)]) }
    #expect(try hindrance([map], words[0], [words[1]]) == .word)
    #expect(try hindrance([near], plain, [plain]) == .latency)
    #expect(try hindrance([], MatchCriteria(3, 3), [MatchCriteria(2, 2)]) == .size)
    #expect(try hindrance([], MatchCriteria(3, 3), [MatchCriteria(3, 3)]) == .size)
    #expect(
      try hindrance([], MatchCriteria(2, 2, attributes: 1), [MatchCriteria(2, 2, attributes: 1)])
        == .attributes)
  }

  @Test("3.2 a ticket that expires while its match is confirmed leaves the others their place")
  func expiresInProposal() throws {
    _ = try world.define(QueueDefinition(lifetime: 10, rules: []))
    try world.find(player(1))
    try world.settle()
    world.driver.clock += 9_999
    try world.find(player(2))
    world.driver.clock += 1
    world.driver.runTimers()
    try world.settle()
    #expect(world.found.isEmpty)
    #expect(try world.tickets(player(1)).map(\.state) == [.expired])
    try world.find(player(3))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(2), player(3)]])
  }

  @Test("3.2 nobody waits twice in one player group, alone or in a party")
  func twice() throws {
    try world.find(player(1))
    try world.settle()
    let again = failure { try world.find(player(1)) }
    #expect(again?.code == .alreadyExists && again?.argument == "playerGroup")
    try world.find(player(2), MatchCriteria(3, 3), with: [player(1)])
    try world.settle()
    #expect(try world.tickets(player(2)).map(\.reason) == [.refused])
    #expect(try world.tickets(player(1)).count { $0.state == .waiting } == 1)
  }

  @Test("3.2 a player has three tickets in a game; a thousand are refused, also side by side")
  func limit() throws {
    for group in 1...3 {
      try world.find(player(1), in: "\(group)")
      try world.settle()
    }
    for group in 4...1000 {
      let refused = failure { try world.find(player(1), in: "\(group)") }
      #expect(refused?.code == .limitReached)
    }
    // Calls side by side come before the list knows of any of them.
    for group in 1...20 { try world.find(player(2), in: "s\(group)") }
    try world.settle()
    let states = try world.tickets(player(2)).map(\.state)
    #expect(states.count { $0 == .waiting } == MatchmakingLimits.ticketsPerPlayerMax)
    #expect(states.count <= 3 + MatchmakingLimits.endedTicketsKept)
    let waiting = try (1...20).map { try world.activity("s\($0)").waitingTickets }
    #expect(waiting.reduce(0, +) == 3)
    let ended = world.takeEnded().filter { $0.player == player(2) }
    #expect(ended.count == 17 && ended.allSatisfy { $0.event.info.reason == .limit })
  }

  @Test("3.2 a party of sixteen less one gets its match, together")
  func party() throws {
    let members = (2...15).map(player)
    let ticket = try world.find(player(1), MatchCriteria(16, 16), with: members).ticket
    try world.settle()
    #expect(try world.tickets(player(9)).map(\.ticket) == [ticket])
    try world.driver.restart()
    try world.find(player(20), MatchCriteria(16, 16))
    try world.settle()
    #expect(world.takeFound().values.map(\.count) == [16])
  }

  @Test("3.2 2.9 nobody puts others into a queue who have not accepted an invitation")
  func partyMembers() throws {
    var operation = FindMatch()
    operation.playerGroup = "0"
    operation.party = .sample(77)
    operation.members = [player(2)]
    #expect(operation.fault?.code == .requiredArgument && operation.fault?.argument == "match")
    operation.members = []
    #expect(operation.fault?.argument == "match")
  }

  @Test("3.2 2.11 each of a party may cancel, and the others hear it as from that player")
  func partyCancels() throws {
    let ticket = try world.find(player(1), MatchCriteria(4, 4), with: [player(2)]).ticket
    try world.settle()
    #expect(try world.cancel(ticket, as: player(2)).state == .cancelled)
    let events = world.driver.effects.filter { $0.opcode == AppendEvent.opcode.rawValue }
    #expect(events.count == 1)
    try world.settle()
    #expect(world.takeEnded().map(\.player) == [player(1)])
    #expect(world.enders == [player(2)])
    #expect(try world.tickets(player(1)).first?.reason == .player)
  }

  @Test("3.2 a party that is enough by itself gets its match when nobody comes")
  func partyIsEnough() throws {
    let members = [player(2), player(3)]
    try world.find(player(1), MatchCriteria(2, 16), with: members)
    try world.pass(599_999)
    #expect(world.found.isEmpty)
    try world.pass(1)
    #expect(world.takeFound().values.map { $0 } == [[player(1)] + members])
    #expect(world.takeEnded().isEmpty)
  }

  @Test("3.2 2.9 players of one ticket who block each other get no match, and none learns why")
  func divided() throws {
    let ticket = try world.find(player(1), MatchCriteria(2, 3), with: [player(2)]).ticket
    try world.settle()
    world.blocks[player(2)] = [player(1)]
    try world.find(player(3), MatchCriteria(2, 3))
    try world.settle()
    #expect(world.found.isEmpty)
    #expect(try world.tickets(player(1)).map(\.state) == [.waiting])
    try world.driver.restart()
    try world.find(player(4), MatchCriteria(2, 3))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(3), player(4)]])
    try world.pass(600_000)
    #expect(world.takeFound().isEmpty)
    #expect(world.takeEnded().map(\.event.info.ticket) == [ticket, ticket])
    #expect(try world.tickets(player(1)).map(\.state) == [.expired])
  }

  @Test("2.9 3.2 who was blocked hears at expiry that nobody waited")
  func blockedHearsNobody() throws {
    world.blocks[player(2)] = [player(1)]
    try world.find(player(1))
    try world.find(player(2))
    try world.settle()
    try world.pass(600_000)
    #expect(world.takeEnded().map(\.event.info.hindrance) == [.nobody, .nobody])
  }

  @Test("2.10 whoever asks and cancels again and again is told to wait")
  func budget() throws {
    for _ in 0..<30 {
      let ticket = try world.find(player(1)).ticket
      try world.settle()
      _ = try world.cancel(ticket, as: player(1))
      try world.settle()
    }
    #expect(failure { try world.find(player(1)) }?.code == .rateLimited)
    try world.find(player(2))
    world.driver.clock += 2_000
    try world.find(player(1))
    try world.settle()
    #expect(world.takeFound().count == 1)
  }

  @Test("3.2 a party's context says who is active in it, to one who is")
  func fetchParty() throws {
    let driver = world.driver
    let id = try driver.createPair(ann, with: ben).context
    var question = FetchParty()
    question.party = id
    #expect(try driver.call(question, as: ann, kind: .service).players == [ann])
    let invited = failure { _ = try driver.call(question, as: ben, kind: .service) }
    #expect(invited?.code == .notFound && invited?.argument == "party")
    try driver.enter(id, as: ben)
    #expect(try driver.call(question, as: ben, kind: .service).players == [ann, ben])
  }

  @Test("3.2 waiting times are told as those of the tickets that were matched")
  func waits() throws {
    for number in 0..<20 {
      try world.find(player(2 * number))
      try world.pass(number == 0 ? 60_000 : 1_000)
      try world.find(player(2 * number + 1))
      try world.settle()
    }
    let activity = try world.activity()
    #expect(activity.matchedPlayers == 40 && activity.waits.ticketCount == 40)
    #expect(activity.waits.p50 == 0)
    #expect((1_000...1_250).contains(activity.waits.p95))
    // Others, who asked for more, waited longer than those like the new one.
    for number in 200..<203 {
      try world.find(player(number), MatchCriteria(3, 3))
      try world.settle()
      try world.pass(30_000)
    }
    #expect(try world.activity().waits.p95 > 30_000)
    let like = try world.find(player(98), MatchCriteria(3, 3)).waits
    #expect(like.ticketCount == 3 && like.p50 >= 30_000)
    let waits = try world.find(player(99)).waits
    #expect(waits.ticketCount == 40 && waits.p50 == 0)
    #expect(try world.activity().waitingPlayers == 2)
    world.driver.clock += 11 * 60_000
    #expect(try world.activity().matchedPlayers == 0)
  }

  @Test("3.2 a new declaration holds for new tickets, and is kept")
  func declarations() throws {
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 5)])
    try world.find(player(1))
    try world.settle()
    #expect(try world.define(QueueDefinition(rules: [skill])) == .created)
    #expect(try world.define(QueueDefinition(rules: [skill])) == .unchanged)
    let missing = failure { try world.find(player(2)) }
    #expect(missing?.code == .requiredArgument && missing?.argument == "numbers")
    try world.find(player(2), MatchCriteria(2, 2, skill: 0))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.driver.restart()
    var describe = DescribeQueue()
    describe.playerGroup = "0"
    #expect(try world.driver.call(describe, as: ann).definition == QueueDefinition(rules: [skill]))
    try world.find(player(3), MatchCriteria(2, 2, skill: 5))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(2), player(3)]])
  }

  @Test("3.2 tickets of an older declaration come under the newest, in their old place")
  func revised() throws {
    func rules(_ limit: UInt32) -> QueueDefinition {
      QueueDefinition(
        lifetime: 600, rules: [MatchRule(.number, "skill", [.init(after: 0, limit: limit)])])
    }
    _ = try world.define(rules(1))
    for number in 1...20 {
      try world.find(player(number), MatchCriteria(2, 2, skill: Int64(number * 100)))
    }
    try world.settle()
    _ = try world.define(rules(50))
    try world.driver.restart()
    for number in 21...23 {
      try world.find(player(number), MatchCriteria(2, 2, skill: Int64(number * 100)))
    }
    try world.find(player(30), MatchCriteria(2, 2, skill: 150))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(30)]])
    try world.find(player(31), MatchCriteria(2, 2, skill: 1_950))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(19), player(31)]])
  }

  @Test("7.1 a repeated call has one ticket")
  func repeated() throws {
    var operation = FindMatch()
    operation.playerGroup = "0"
    let facts = Facts([Fact(FetchTickets.self, at: player(1), ListTickets.Reply())])
    let key = IdempotencyKey(instance: 5, counter: 1, floor: 1)
    let first = try world.driver.call(operation, as: player(1), facts: facts, idempotency: key)
    try world.driver.restart()
    let second = try world.driver.call(operation, as: player(1), facts: facts, idempotency: key)
    #expect(first.ticket == second.ticket)
    #expect(try world.activity().waitingTickets == 1)
  }

  @Test("3.2 arguments are checked, in order")
  func arguments() throws {
    func refused(_ group: String, _ criteria: MatchCriteria) -> Failure? {
      failure { try world.find(player(1), in: group, criteria) }
    }
    #expect(refused("", MatchCriteria())?.code == .requiredArgument)
    #expect(refused("a b", MatchCriteria())?.argument == "playerGroup")
    #expect(refused("0", MatchCriteria(1, 4))?.argument == "minPlayers")
    #expect(refused("0", MatchCriteria(3, 2))?.argument == "minPlayers")
    #expect(refused("0", MatchCriteria(17, .max))?.argument == "minPlayers")
    var twice = MatchCriteria(2, 2)
    twice.words = [TicketWord("a", "b"), TicketWord("a", "c")]
    #expect(refused("0", twice)?.argument == "words")
    var few = QueueDefinition(rules: [])
    few.maxPlayers = 4
    _ = try world.define(few)
    #expect(refused("0", MatchCriteria(5, 8))?.code == .invalidArgument)
    #expect(try world.activity().waitingTickets == 0)
  }
}
