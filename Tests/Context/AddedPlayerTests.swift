import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

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
