import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Matches that were found, and that not all join.
@Suite struct JoiningTests {
  let world = QueueWorld()
  private var driver: ContextDriver { world.driver }

  private func player(_ number: Int) -> PlayerID { QueueWorld.player(number) }

  /// The context of a match that was found for these tickets, the last of which completes it.
  private func found(_ parties: [[Int]], _ criteria: [MatchCriteria]) throws -> ContextID {
    for (party, criteria) in zip(parties, criteria) {
      try world.find(
        player(party[0]), criteria, with: party.dropFirst().map { player($0) })
    }
    try world.settle()
    let found = world.takeFound()
    #expect(found.count == 1)
    return try #require(found.keys.first)
  }

  private func pair() throws -> ContextID {
    try found([[1], [2]], [MatchCriteria(2, 2), MatchCriteria(2, 2)])
  }

  private func join(_ context: ContextID, _ number: Int, session: UInt64? = nil) throws {
    try driver.join(
      context, as: player(number), session: session ?? UInt64(number), seat: UInt64(number),
      startsNew: true)
    try world.settle()
  }

  private func told() throws -> [PlayerID: JoiningEnded] {
    let events = world.others.filter { $0.kind == JoiningEnded.opcode.rawValue }
    world.others.removeAll { $0.kind == JoiningEnded.opcode.rawValue }
    return try Dictionary(
      events.map { ($0.player, try JoiningEnded(decoding: $0.body.array)) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test("3.2 who has joined is not stranded by one who never does, and waits on in the old place")
  func tooFew() throws {
    let context = try pair()
    let old = try #require(try world.tickets(player(1)).first)
    try world.pass(5_000)
    try join(context, 1)
    try world.find(player(3), MatchCriteria(4, 4))
    try world.pass(29_999)
    #expect(try told().isEmpty)
    #expect(try driver.get(context, as: player(1)).size == 2)
    _ = try driver.takePushes(MatchEnded.self)
    try world.pass(1)
    #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [1])
    let told = try told()
    #expect(Set(told.keys) == [player(1), player(2)])
    #expect(told.values.allSatisfy { $0.outcome == .tooFew && $0.absent == [player(2)] })
    #expect(told[player(2)]?.ticket == nil)
    let tickets = try world.tickets(player(1))
    let new = try #require(tickets.first { $0.state == .waiting })
    #expect(told[player(1)]?.ticket == new.ticket && told[player(1)]?.playerGroup == "0")
    #expect(new.ticket != old.ticket && new.createdAt == old.createdAt + 35_000)
    #expect(new.expiresAt == old.expiresAt + 35_000, "the time in the match does not count")
    #expect(tickets.map(\.state).filter { $0 == .matched }.count == 1)
    #expect(try world.tickets(player(2)).map(\.state) == [.matched])
    for number in 1...2 {
      #expect(failure { _ = try driver.get(context, as: player(number)) }?.code == .notFound)
    }
    // The one who came while they were in the match is behind.
    try driver.restart()
    try world.find(player(4), MatchCriteria(4, 4))
    try world.settle()
    #expect(world.takeFound().isEmpty, "player 1 wants two")
    try world.find(player(6))
    try world.find(player(7))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(6)]])
  }

  @Test("3.2 a match begins without those who do not come when enough are there")
  func begins() throws {
    let context = try found([[1, 2], [3]], [MatchCriteria(2, 3), MatchCriteria(2, 3)])
    try join(context, 1)
    try join(context, 2)
    _ = try driver.takePushes(MatchPlayerChanged.self)
    try world.pass(30_000)
    let changes = try driver.takePushes(MatchPlayerChanged.self)
    #expect(changes.map(\.session) == [1, 2])
    #expect(
      changes.allSatisfy {
        $0.event.player == player(3) && $0.event.state == .left
          && $0.event.expectedPlayerCount == 0
      })
    let told = try told()
    #expect(Set(told.keys) == [player(1), player(2), player(3)])
    #expect(
      told.values.allSatisfy {
        $0.outcome == .begins && $0.absent == [player(3)] && $0.ticket == nil
      })
    #expect(try driver.join(context, as: player(1), session: 1, seat: 1, number: 1).hasBegun)
    #expect(try driver.get(context, as: player(1)).players.map(\.player) == [player(1), player(2)])
    #expect(failure { try join(context, 3) }?.code == .notFound)
    #expect(driver.rows[47]?.isEmpty == true)
  }

  @Test("3.2 a match without one of its masks does not begin")
  func masks() throws {
    let masks: [UInt32] = [0xff, 0xff00, 0xffff_0000]
    let context = try found(
      [[1], [2], [3]], masks.map { MatchCriteria(2, 3, attributes: $0) })
    try join(context, 1)
    try join(context, 2)
    _ = try driver.takePushes(MatchPlayerChanged.self)
    try world.pass(30_000)
    #expect(try driver.takePushes(MatchPlayerChanged.self).isEmpty, "it never begins")
    let told = try told()
    #expect(told.values.allSatisfy { $0.outcome == .tooFew && $0.absent == [player(3)] })
    #expect(told[player(1)]?.ticket != nil && told[player(2)]?.ticket != nil)
    try world.find(player(4), MatchCriteria(2, 3, attributes: 0xffff_0000))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(2), player(4)]])
  }

  @Test("3.2 3.3 nobody is told that a match begins for which too few are left")
  func tooFewLeft() throws {
    let three = MatchCriteria(3, 3)
    let context = try found([[1], [2], [3]], [three, three, three])
    // So late that nobody is waited for.
    try world.pass(31_000)
    var leave = LeaveContext()
    leave.context = context
    try driver.call(leave, as: player(3))
    try world.settle()
    try join(context, 1)
    _ = try driver.takePushes(MatchPlayerChanged.self)
    let reply = try driver.join(context, as: player(2), session: 2, seat: 2)
    #expect(!reply.hasBegun && reply.expectedPlayerCount == 1)
    let changes = try driver.takePushes(MatchPlayerChanged.self)
    #expect(changes.map(\.event.expectedPlayerCount) == [1])
    try world.pass(30_000)
    let told = try told()
    #expect(told[player(1)]?.ticket != nil && told[player(2)]?.ticket != nil)
  }

  @Test("3.2 who waits again at the end of the line does so from now on, by the queue's own clock")
  func clocks() throws {
    var back = PlaceTicket()
    back.queue = RoutingKey(game: driver.game, name: "0")
    (back.ticket, back.playerGroup) = (.sample(77), "0")
    (back.players, back.criteria) = ([player(1)], MatchCriteria(2, 2))
    // The context of the match has another owner, whose clock is ahead.
    (back.createdAt, back.expiresAt) = (driver.clock + 3_600_000, driver.clock + 60_000)
    try driver.call(back, as: PlayerID(), kind: .service)
    try world.settle()
    let ticket = try #require(try world.tickets(player(1)).first)
    #expect(ticket.createdAt == driver.clock && ticket.expiresAt == back.expiresAt)
  }

  @Test("3.2 of a party, those who came go on without the one who did not")
  func party() throws {
    let context = try found([[1, 2], [3]], [MatchCriteria(3, 3), MatchCriteria(3, 3)])
    try join(context, 2)
    try world.pass(30_000)
    let told = try told()
    #expect(told[player(1)]?.ticket == nil && told[player(3)]?.ticket == nil)
    let waiting = try world.tickets(player(2)).filter { $0.state == .waiting }
    #expect(waiting.map(\.players) == [[player(2)]])
    #expect(try world.tickets(player(1)).allSatisfy { $0.state == .matched })
  }

  @Test("3.2 the time to join begins anew with the service, as grace times do")
  func restarted() throws {
    let context = try pair()
    try join(context, 1)
    try world.pass(20_000)
    try driver.restart()
    try world.pass(1)
    try join(context, 1, session: 11)
    try world.pass(29_998)
    #expect(try told().isEmpty)
    try world.pass(1)
    #expect(try told()[player(1)]?.outcome == .tooFew)
    #expect(try world.tickets(player(1)).contains { $0.state == .waiting })
  }

  @Test("3.2 one who leaves before the match begins ends it for those who are then too few")
  func leaves() throws {
    let context = try pair()
    var leave = LeaveContext()
    leave.context = context
    try driver.call(leave, as: player(2))
    try world.settle()
    let told = try told()
    #expect(told[player(1)]?.ticket != nil && told[player(1)]?.absent == [player(2)])
    #expect(try world.tickets(player(1)).contains { $0.state == .waiting })
    #expect(try world.tickets(player(2)).allSatisfy { $0.state == .matched })
  }

  @Test("3.2 those who wait again keep what the rules of their queue are about, and nothing else")
  func properties() throws {
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 10)])
    let near = MatchRule(.latency, "", [.init(after: 0, limit: 50)])
    _ = try world.define(QueueDefinition(regions: ["north"], rules: [skill, near]))
    var criteria = MatchCriteria(
      2, 2, skill: 5, words: [TicketWord("map", "hills")],
      latencies: [.init("north", 20), .init("moon", 1)])
    criteria.numbers.append(TicketNumber("luck", 7))
    let context = try found([[1], [2]], [criteria, criteria])
    try join(context, 1)
    driver.clock += 30_000
    driver.runTimers()
    let back = try driver.takeEffects(PlaceTicket.self).map(\.operation)
    #expect(back.map(\.players) == [[player(1)]])
    #expect(back.first?.criteria.numbers == [TicketNumber("skill", 5)])
    #expect(back.first?.criteria.words == [])
    #expect(back.first?.criteria.latencies == [.init("north", 20)])
  }

  @Test("3.2 a match that all have joined waits for nobody")
  func complete() throws {
    let context = try pair()
    try join(context, 1)
    try join(context, 2)
    #expect(driver.rows[47]?.isEmpty == true && driver.engine.nextTimerDue != nil)
    try world.pass(120_000)
    #expect(try told().isEmpty)
    #expect(try driver.get(context, as: player(1)).size == 2)
  }

  @Test("3.2 while nobody waits in a found match nothing happens to it, as long as it takes")
  func nobodyWaits() throws {
    let context = try pair()
    try world.pass(3_600_000)
    #expect(try driver.get(context, as: player(1)).size == 2)
    try join(context, 1)
    try world.pass(30_000)
    #expect(try told()[player(1)]?.outcome == .tooFew)
  }

  @Test("3.2 3.6 friends who were put together by invitations are told who did not come")
  func invited() throws {
    var open = OpenContext()
    open.context = .sample(50)
    open.players = [ann, ben].map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    open.needed = 2
    try driver.call(open, as: PlayerID(), kind: .service)
    try world.settle()
    try driver.join(.sample(50), as: ben, session: 1, seat: 1)
    try world.pass(30_000)
    let told = try told()
    #expect(told[ben]?.absent == [ann] && told[ben]?.ticket == nil)
    #expect(told[ben]?.outcome == .tooFew && told[ann]?.outcome == .tooFew)
  }

  @Test("3.2 who looks for another match meanwhile is told that the old ticket cannot come back")
  func alreadyWaiting() throws {
    let context = try pair()
    try join(context, 1)
    let other = try world.find(player(1), MatchCriteria(4, 4)).ticket
    try world.pass(30_000)
    let back = try #require(try told()[player(1)]?.ticket)
    let ended = world.takeEnded()
    #expect(ended.map(\.event.info.ticket) == [back])
    #expect(ended.map(\.event.info.reason) == [.refused])
    #expect(try world.tickets(player(1)).first { $0.ticket == other }?.state == .waiting)
  }

  @Test("3.2 whoever joins a found match first does not choose who else plays in it")
  func othersAreKept() throws {
    let four = MatchCriteria(3, 3)
    let context = try found([[1], [2], [3]], [four, four, four])
    var start = JoinMatch()
    start.context = context
    start.seat = 1
    start.startsNew = true
    start.players = [player(2)]
    let reply = try driver.call(start, as: player(1), session: 1)
    #expect(reply.expectedPlayerCount == 2)
    try join(context, 2)
    #expect(try !driver.join(context, as: player(1), session: 1, seat: 1, number: 1).hasBegun)
    try join(context, 3)
    #expect(try driver.join(context, as: player(1), session: 1, seat: 1, number: 1).hasBegun)
  }

  private func startTurnGame(_ context: ContextID, _ players: [PlayerID]) throws {
    var start = StartTurnGame()
    (start.context, start.players) = (context, players)
    let facts = players.flatMap { player in
      [
        Fact(FetchBlocks.self, at: player, FetchBlocks.Reply()),
        Fact(FetchOpenedContexts.self, at: player, FetchOpenedContexts.Reply()),
      ]
    }
    try driver.call(start, as: players[0], facts: Facts(facts))
    try world.settle()
  }

  @Test(
    "3.2 a turn-based game in the context keeps nobody waiting in the match, and stays",
    arguments: [2, 3])
  func turnGame(least: UInt32) throws {
    let criteria = MatchCriteria(least, 3)
    let context = try found([[1, 2], [3]], [criteria, criteria])
    try join(context, 2)
    try join(context, 3)
    try startTurnGame(context, [player(1), player(2)])
    try world.pass(30_000)
    let told = try told()
    #expect(told.values.allSatisfy { $0.absent == [player(1)] } && told.count == 3)
    #expect(try driver.get(context, as: player(1)).size == 3, "the game goes on with all")
    let waiting = try [2, 3].map { try world.tickets(player($0)).contains { $0.state == .waiting } }
    if least == 2 {
      #expect(told[player(2)]?.outcome == .begins && waiting == [false, false])
      #expect(try driver.join(context, as: player(2), session: 2, seat: 2, number: 1).hasBegun)
    } else {
      #expect(told[player(2)]?.outcome == .tooFew && waiting == [true, true])
      #expect(try driver.takePushes(MatchEnded.self).map(\.session) == [2, 3])
    }
    #expect(driver.rows[47]?.isEmpty == true)
    try driver.restart()
    try world.pass(60_000)
    #expect(try self.told().isEmpty)
  }

  @Test("3.2 who has left the match before it began, or is not there, does not wait again")
  func leftBefore() throws {
    let three = MatchCriteria(3, 3)
    let context = try found([[1], [2], [3]], [three, three, three])
    try join(context, 1)
    try join(context, 2)
    var leave = LeaveMatch()
    (leave.context, leave.seat) = (context, 1)
    try driver.call(leave, as: player(1), session: 1)
    var out = LeaveContext()
    out.context = context
    try driver.call(out, as: player(3))
    try world.settle()
    let told = try told()
    #expect(told[player(1)]?.ticket == nil && told[player(2)]?.ticket != nil)
    #expect(try world.tickets(player(1)).allSatisfy { $0.state == .matched })
  }

  @Test("3.2 the ticket of one who did not join lives no longer for coming back")
  func absentLifetime() throws {
    let context = try pair()
    let old = try #require(try world.tickets(player(2)).first)
    try world.pass(10_000)
    var leave = LeaveContext()
    leave.context = context
    try driver.call(leave, as: player(1))
    try world.settle()
    let new = try #require(try world.tickets(player(2)).first { $0.state == .waiting })
    #expect(new.expiresAt == old.expiresAt && new.createdAt == old.createdAt)
  }

  /// The opponent whom player 2 has found leaves after a while. Returns whether player 2 waits on.
  private func leave(_ context: ContextID, _ opponent: Int, after wait: Int64) throws -> Bool {
    try world.pass(wait)
    var leave = LeaveContext()
    leave.context = context
    try driver.call(leave, as: player(opponent))
    try world.settle()
    let told = try told()[player(2)]
    let waits = try world.tickets(player(2)).contains { $0.state == .waiting }
    #expect(told?.outcome == .tooFew && (told?.ticket != nil) == waits)
    return waits
  }

  @Test("3.2 a client that is gone costs its opponents, all together, the time to join once")
  func goneClient() throws {
    #expect(try leave(pair(), 1, after: 10_000))
    #expect(try leave(found([[3]], [MatchCriteria(2, 2)]), 3, after: 10_000))
    #expect(try leave(found([[4]], [MatchCriteria(2, 2)]), 4, after: 9_999))
    try driver.restart()
    #expect(try !leave(found([[5]], [MatchCriteria(2, 2)]), 5, after: 1))
    #expect(try world.tickets(player(2)).allSatisfy { $0.state == .matched })
  }

  @Test("3.2 in a party, too, who is gone costs opponents the time to join once")
  func goneInParty() throws {
    let three = MatchCriteria(3, 3)
    func leave(_ context: ContextID, _ opponent: Int, after wait: Int64) throws -> Bool {
      try join(context, 6)
      return try self.leave(context, opponent, after: wait)
    }
    #expect(try leave(found([[6, 2], [1]], [three, three]), 1, after: 10_000))
    #expect(try leave(found([[3]], [three]), 3, after: 10_000))
    #expect(try leave(found([[4]], [three]), 4, after: 9_999))
    try driver.restart()
    #expect(try !leave(found([[5]], [three]), 5, after: 1))
    let waiting = try world.tickets(player(6)).filter { $0.state == .waiting }
    #expect(waiting.map(\.players) == [[player(6)]])
  }

  @Test("3.2 who asks by an own ticket has not been gone by the party's")
  func ownTicketAgain() throws {
    let three = MatchCriteria(3, 3)
    let first = try found([[6, 2], [1]], [three, three])
    try join(first, 6)
    try world.pass(29_000)
    var leave = LeaveContext()
    leave.context = first
    try driver.call(leave, as: player(1))
    // The party's ticket is not back yet.
    try world.find(player(2), three)
    try world.settle()
    let second = try found([[3]], [three])
    try join(second, 6)
    #expect(try self.leave(second, 3, after: 2_000))
  }

  @Test("3.2 in a party nobody is held to have been gone for another's absence")
  func absentInTurn() throws {
    let three = MatchCriteria(3, 3)
    let first = try found([[6, 2], [1]], [three, three])
    try join(first, 2)
    #expect(try leave(first, 1, after: 29_000))
    let second = try found([[3]], [three])
    try join(second, 6)
    #expect(try leave(second, 3, after: 2_000))
  }

  @Test("3.2 who has joined a match is there: what it let others wait before is forgotten")
  func thereAgain() throws {
    #expect(try leave(pair(), 1, after: 20_000))
    let context = try found([[3]], [MatchCriteria(2, 2)])
    try join(context, 2)
    #expect(try leave(context, 3, after: 20_000))
    #expect(try leave(found([[4]], [MatchCriteria(2, 2)]), 4, after: 20_000))
    #expect(try !leave(found([[5]], [MatchCriteria(2, 2)]), 5, after: 10_000))
  }

  @Test("3.2 nobody keeps a place in the line, or ages, by letting a found match wait")
  func hoarded() throws {
    let context = try pair()
    try world.pass(3_600_000)
    try join(context, 1)
    driver.clock += 30_000
    driver.runTimers()
    let back = try driver.takeEffects(PlaceTicket.self).map(\.operation)
    #expect(back.map(\.players) == [[player(1)]])
    #expect(back.map(\.arrival) == [0] && back.map(\.createdAt) == [driver.clock])
  }

  @Test("3.2 a party's places come back but for one who looks for another match meanwhile")
  func partyApart() throws {
    let context = try found([[1, 2], [3]], [MatchCriteria(3, 3), MatchCriteria(3, 3)])
    try join(context, 1)
    try join(context, 2)
    let other = try world.find(player(1), MatchCriteria(5, 5)).ticket
    try world.pass(30_000)
    let back = try #require(try told()[player(2)]?.ticket)
    let waiting = try world.tickets(player(2)).filter { $0.state == .waiting }
    #expect(waiting.map(\.ticket) == [back] && waiting.map(\.players) == [[player(2)]])
    let ended = world.takeEnded()
    #expect(ended.map(\.player) == [player(1)] && ended.map(\.event.info.reason) == [.refused])
    #expect(try world.tickets(player(1)).first { $0.ticket == other }?.state == .waiting)
  }

  @Test("3.2 3.6 a found match gets no others before it has begun")
  func noBackfill() throws {
    let criteria = MatchCriteria(2, 3)
    let context = try found([[1, 2], [3]], [criteria, criteria])
    try join(context, 1)
    func openMatch() throws -> UInt64 {
      var question = FetchParty()
      question.party = context
      return try driver.call(question, as: player(1), kind: .service).openMatch
    }
    #expect(try openMatch() == 0)
    try join(context, 2)
    try join(context, 3)
    #expect(try openMatch() == 1)
  }
}
