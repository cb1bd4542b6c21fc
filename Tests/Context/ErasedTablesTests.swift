import Operations
import TestKit
import Testing
import Wire

@testable import ContextCore
@testable import Domain

/// Erasure reaches every table of the context service (rule 7.3), whatever Ann has done there.
@Suite struct ErasedTablesTests {
  let play: ErasurePlay
  private var driver: ContextDriver { play.driver }
  private let standIn = ContextDriver.standIn

  init() throws { play = try ErasurePlay() }

  @Test(
    "7.3 an erased player is in no table, and others keep what is theirs", arguments: [false, true])
  func everyTable(isInterleaved: Bool) throws {
    let about = driver.engine.tables.all.filter {
      $0.subjects.arePlayers && $0.description.id >= Tables.coreNumberMin
    }
    let missing = Set(about.map(\.description.name)).subtracting(driver.tables(with: ann))
    #expect(missing.isEmpty, "the play does not reach these tables")

    let news = try driver.eraseAnn(isInterleaved: isInterleaved)
    #expect(driver.tables(with: ann, or: ErasurePlay.words).isEmpty)
    play.turns.settle()
    try checkContexts()
    try checkMatches(news)
    try checkGame()
    try keepEveApart()
    try driver.restart()
    #expect(driver.tables(with: ann, or: ErasurePlay.words).isEmpty)
    try checkContexts()
    try checkGame()
    try playOn()
    #expect(driver.tables(with: ann, or: ErasurePlay.words).isEmpty)
  }

  // MARK: What others see

  private func players(_ context: ContextID, as player: PlayerID = ben) throws -> [PlayerID] {
    try driver.get(context, as: player).players.filter { $0.state != .left }.map(\.player)
  }

  private func checkContexts() throws {
    #expect(try players(play.pair) == [ben])
    #expect(try Set(players(play.shared)) == [ben, cho, dan])
    #expect(try driver.get(play.shared, as: ben).details?.requests.isEmpty == true)
    #expect(try driver.get(play.asked, as: ben).details?.requests.isEmpty == true)
    let opened = try driver.rows(of: ContextRow.self)
    #expect(opened.allSatisfy { !$0.holds(standIn) }, "the stand-in is in no context")
    for player in [ben, cho, dan] {
      let lists = try driver.list(player).contexts
      let shown = lists.filter { info in
        info.players.contains { $0.player == standIn && $0.state != .left }
      }
      #expect(shown.isEmpty, "nor on anybody's list")
    }
  }

  private func checkMatches(_ news: [AppendEvent]) throws {
    let match = try #require(driver.core.matches.table[play.match])
    #expect(match.seat(of: standIn)?.state == .left && !match.isEnded)
    #expect([ben, cho].allSatisfy { match.seat(of: $0)?.state == .joined })
    #expect(driver.core.matches.live.seatCounts == [ben: 1, cho: 1])
    #expect(driver.core.matches.found[play.found] == nil)
    // Dan waits again, and so do those whose tickets were with Ann's.
    for player in [ben, cho, dan] {
      #expect(try driver.call(ListTickets(), as: player).tickets.first?.state == .waiting)
    }
    #expect(try driver.rows(of: TicketRow.self).allSatisfy { !$0.players.contains(standIn) })
    let invites = try driver.call(ListMatchInvites(), as: ben).invites
    #expect(invites.map { $0.recipients.map(\.player) } == [[standIn, cho]])
    #expect(invites.map { $0.recipients.map(\.answer) } == [[.unableToConnect, .pending]])
    let ended = news.filter { $0.kind == MatchInviteEnded.opcode.rawValue }
    #expect(Set(ended.map(\.player)) == [ben, cho], "Ann's own invitation is over")
  }

  private func checkGame() throws {
    let view = try play.turns.read(ben)
    #expect(view.text == "s1" && view.hiddenText == "Ben's own")
    #expect(view.info.seats.map(\.player) == [standIn, ben, cho])
    #expect(view.info.seats.map(\.state) == [.done, .active, .active])
    #expect(view.info.next.first == ben && view.info.proposal == nil)
    #expect(try play.turns.moves(cho).map(\.text) == ["e4 \(standIn)"])
    #expect(try play.turns.moves(cho, number: 1).map(\.text) == ["d4"])
    let exchange = try play.turns.readExchange(ben, play.exchanges[0])
    #expect(exchange.request == Bytes(Array("Ben asks".utf8)))
    #expect(exchange.answers.allSatisfy { $0.payload.array.isEmpty })
    #expect(view.info.exchanges.map(\.id) == [play.exchanges[0]], "Ann's own exchange is over")
    #expect(try play.watched.read(ben).info.spectatorCount == 0)
    for fork in [play.fork, play.openFork] {
      var read = ReadTurnGame()
      read.context = fork
      let info = try driver.call(read, as: ben).info
      #expect(info.phase == .active && info.seats.map(\.player) == [standIn, ben, cho])
      #expect(info.seats[0].state != .active && info.seats[0].state != .invited)
    }
  }

  /// The others go on, with what Ann has played and without her.
  private func playOn() throws {
    #expect(try play.turns.move(ben, "e5").next.first == cho)
    try play.turns.reply(cho, to: play.exchanges[0], "Cho answers")
    try play.turns.propose(ben, .undo, move: 1)
    #expect(try play.turns.agree(cho).moveCount == 1)
    #expect(try play.sealed.seal(cho, "C1", round: 1).round == 2)
    #expect(try play.sealed.moves(ben).map(\.text) == ["A1 \(standIn)", "B1", "C1"])
  }

  /// Whom Ben avoids is written again when another one is added.
  private func keepEveApart() throws {
    var find = FindMatch()
    find.playerGroup = "apart"
    find.criteria.words = [TicketWord("map", "any")]
    try play.groups.ask(find, as: eve)
    let questions = try driver.takeEffects(ConfirmMatch.self).map(\.operation)
    #expect(Set(questions.map(\.player)) == [ben, eve])
    for question in questions where question.player == ben {
      var answer = MatchConfirmed()
      (answer.queue, answer.match) = (question.queue, question.match)
      (answer.player, answer.blocked) = (ben, [eve])
      try driver.call(answer, as: PlayerID(), kind: .service)
    }
    let ticket = try driver.rows(of: TicketRow.self).first {
      $0.players == [ben] && $0.playerGroup == "apart"
    }
    #expect(ticket.map { Set($0.avoided) } == [standIn, eve])
  }

  @Test("7.3 who is erased while effects are under way gets no seat and no ticket by them")
  func underWay() throws {
    var open = OpenContext()
    open.context = .sample(920)
    open.needed = 3
    open.players = [ann, ben, cho, dan].map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    var ticket = PlaceTicket()
    (ticket.queue, ticket.ticket) = (RoutingKey(game: driver.game, name: "late"), .sample(921))
    (ticket.playerGroup, ticket.players) = ("late", [ann])
    ticket.criteria.words = [TicketWord("map", ErasurePlay.words)]
    var seats = AddMatchSeats()
    (seats.context, seats.number) = (try driver.matched([ben, cho], context: .sample(922)), 1)
    (seats.players, seats.present, seats.answerTo) = ([ann], [ben, cho], ticket.queue)
    for (player, session) in [(ben, 2), (cho, 3)] as [(PlayerID, UInt64)] {
      try driver.join(seats.context, as: player, session: session, seat: session)
    }
    open.tickets = [ticket]
    try driver.call(open, as: PlayerID(), kind: .service)
    open.context = .sample(923)
    try driver.eraseAnn()
    try deliver(open, on: RoutingKey(reinterpreting: open.context), number: 1)
    try deliver(ticket, on: ticket.queue, number: 2)
    try deliver(seats, on: RoutingKey(reinterpreting: seats.context), number: 3)
    #expect(try driver.deliverOwnEffects().isEmpty)
    for context in [ContextID.sample(920), .sample(923)] {
      #expect(try players(context) == [ben, cho, dan])
      #expect(driver.core.matches.found[context] != nil, "the others may still begin")
    }
    #expect(try players(seats.context) == [ben, cho])
    #expect(driver.core.matches.table[seats.context]?.expectedPlayerCount == 0)
    #expect(try driver.rows(of: TicketRow.self).allSatisfy { $0.queue != ticket.queue })
    #expect(driver.tables(with: ann, or: ErasurePlay.words).isEmpty)
  }

  /// An effect of another process, which has not heard of the erasure yet.
  private func deliver<O: Operation>(_ operation: O, on key: RoutingKey, number: UInt64) throws {
    var envelope = ServiceEnvelope(ofEffectOn: key, game: driver.game)
    envelope.source = EffectSource(
      service: .request, slot: 3, store: StoreID(high: 2, low: 2), sequence: number, after: 0)
    _ = try driver.answer(
      Request(opcode: O.opcode, envelope: envelope, body: operation.encoded, link: 1))
  }
}

extension ContextDriver {
  fileprivate func rows<R: Row>(of type: R.Type) throws -> [R] {
    try (rows[R.tableID] ?? [:]).values.map { try R(decoding: $0) }
  }
}
