import Domain
import Operations
import TestKit
import Testing
import Wire

@testable import ContextCore

/// Players for a match that runs already.
@Suite struct AddedPlayerTests {
  let world = QueueWorld()

  private func player(_ number: Int) -> PlayerID { QueueWorld.player(number) }

  /// What the match's key answers.
  private func answerSeats(_ isGiven: Bool) throws -> AddMatchSeats? {
    guard let asked = try world.driver.takeEffects(AddMatchSeats.self).first?.operation else {
      return nil
    }
    var answer = MatchSeatsAnswered()
    answer.key = asked.answerTo
    answer.request = asked.request
    answer.isGiven = isGiven
    try world.driver.call(answer, as: PlayerID(), kind: .service)
    return asked
  }

  /// Everything but the question for seats is delivered.
  private func settleUpToSeats() throws {
    while !world.driver.effects.contains(where: { $0.opcode == AddMatchSeats.opcode.rawValue }) {
      let before = world.driver.effects.count
      try world.settleOnce()
      if before == 0 && world.driver.effects.isEmpty { break }
    }
  }

  @Test("3.6 a player who waits is added to a running match, and everybody of it is asked first")
  func backfill() throws {
    try world.find(
      player(1), MatchCriteria(3, 4), with: [player(2)], party: .sample(7), match: 3)
    try world.settle()
    try world.find(player(5), MatchCriteria(2, 4))
    try settleUpToSeats()
    let asked = try #require(try answerSeats(true))
    #expect(asked.context == .sample(7) && asked.number == 3)
    #expect(asked.players == [player(5)] && asked.present == [player(1), player(2)])
    try world.settle()
    #expect(world.found.allSatisfy { $0.event.number == 3 && $0.event.context == .sample(7) })
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(2), player(5)]])
  }

  @Test("3.6 whoever gets no seat any more goes on waiting in the old place")
  func noSeats() throws {
    let host = try world.find(
      player(1), MatchCriteria(2, 4), party: .sample(7), active: [player(1)], match: 3
    ).ticket
    try world.settle()
    let ticket = try world.find(player(5), MatchCriteria(2, 2)).ticket
    try settleUpToSeats()
    // While seats are asked for, nobody knows yet how the ticket ends.
    #expect(failure { _ = try world.cancel(ticket, as: player(5)) }?.code == .conflict)
    try world.driver.restart()
    #expect(try answerSeats(false) != nil)
    try world.settle()
    #expect(try world.tickets(player(5)).map(\.state) == [.waiting])
    #expect(try world.tickets(player(1)).map(\.state) == [.expired])
    #expect(world.takeEnded().map(\.event.info.ticket) == [host])
    try world.find(player(6), MatchCriteria(2, 2))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(5), player(6)]])
  }

  // MARK: Through the match itself

  /// A match of players in a context of their own, which all have joined.
  private func startMatch(_ players: [PlayerID]) throws -> ContextID {
    let context = try world.driver.matched(players)
    for (place, player) in players.enumerated() {
      try world.driver.join(context, as: player, session: UInt64(place + 1), seat: 1)
    }
    return context
  }

  /// Asks for more players for a match, with what its context says.
  private func ask(_ players: [PlayerID], _ context: ContextID, _ criteria: MatchCriteria) throws
    -> MatchTicketID
  {
    var question = FetchParty()
    question.party = context
    let known = try world.driver.call(question, as: players[0], kind: .service)
    return try world.find(
      players[0], criteria, with: Array(players.dropFirst()), party: context,
      active: known.players, match: 1, openMatch: known.openMatch
    ).ticket
  }

  @Test("3.6 a player who waited gets a seat in the running match, and is in its context")
  func wholeWay() throws {
    let present = [player(1), player(2)]
    let context = try startMatch(present)
    _ = try ask(present, context, MatchCriteria(3, 4))
    try world.settle()
    try world.find(player(5), MatchCriteria(2, 4))
    try world.settle()
    #expect(world.takeFound() == [context: present + [player(5)]])
    let seats = world.driver.core.matches.table[context]?.seats.map(\.player)
    #expect(seats == present + [player(5)])
    #expect(world.driver.core.matches.contexts[context]?.state(of: player(5)) == .active)
    try world.driver.join(context, as: player(5), session: 9, seat: 1)
  }

  @Test("3.6 who finds the match full or over by then waits on in the old place")
  func wholeWayWithoutSeats() throws {
    let present = [player(1), player(2)]
    let context = try startMatch(present)
    let host = try ask(present, context, MatchCriteria(3, 4))
    try world.settle()
    let ticket = try world.find(player(5), MatchCriteria(2, 4)).ticket
    // The match ends before its queue hears of it.
    for (place, player) in present.enumerated() {
      var leave = LeaveMatch()
      leave.context = context
      try world.driver.call(leave, as: player, session: UInt64(place + 1))
    }
    try world.settle()
    #expect(world.takeFound().isEmpty)
    #expect(Set(world.takeEnded().map(\.event.info.ticket)) == [host])
    #expect(try world.tickets(player(5)).map(\.state) == [.waiting])
    let late = try world.find(player(6), MatchCriteria(2, 2)).ticket
    try world.find(player(7), MatchCriteria(2, 2))
    try world.settle()
    let match = world.takeFound().values.first ?? []
    #expect(match.first == player(5) && ticket != late)
    // Nobody asks for players for a match that is over.
    let over = failure { _ = try ask(present, context, MatchCriteria(3, 4)) }
    #expect(over?.code == .notFound && over?.argument == "match")
  }

  @Test("3.6 nobody asks for players for a match that is not there, or is another's")
  func falseMatch() throws {
    let refused = failure {
      try world.find(
        player(1), MatchCriteria(2, 4), party: .sample(7), match: 3, openMatch: 0)
    }
    #expect(refused?.code == .notFound && refused?.argument == "match")
    let context = try startMatch([player(1), player(2)])
    var question = FetchParty()
    question.party = context
    #expect(try world.driver.call(question, as: player(1), kind: .service).openMatch == 1)
    let alone = try world.driver.matched([player(3), player(4)], context: .sample(55))
    question.party = alone
    #expect(try world.driver.call(question, as: player(3), kind: .service).openMatch == 0)
  }

  @Test("3.6 2.9 everybody in the context of the match is named by whoever asks for others")
  func everybody() throws {
    let refused = failure {
      try world.find(
        player(1), MatchCriteria(3, 4), party: .sample(7), active: [player(1), player(2)],
        match: 3)
    }
    #expect(refused?.code == .invalidArgument && refused?.argument == "members")
  }
}
