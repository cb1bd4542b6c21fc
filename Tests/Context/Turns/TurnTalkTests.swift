import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct TurnTalkTests {
  let world: TurnWorld

  init() throws { world = try TurnWorld([ann, ben, cho]) }

  private func states() throws -> [PlayerID: TurnExchangeState] {
    let told = try world.driver.streamEvents(TurnExchangeChanged.self)
    return Dictionary(told.map { ($0.player, $0.event.state) }) { $1 }
  }

  @Test("1.9 an exchange that is answered late can be resolved for as long again")
  func lateAnswer() throws {
    try world.start()
    let id = try world.ask(ben, [ann], "wood?")
    try world.pass(day - 60_000)
    try world.reply(ann, to: id, "yes")
    try world.pass(day - 1)
    #expect(try world.readExchange(ann, id).answers.count == 1)
    try world.pass(1)
    #expect(try world.read(ann).info.exchanges.isEmpty)
    #expect(try states() == [ann: .expired, ben: .expired])
  }

  @Test("1.9 a player who leaves completes an exchange, which is told, and can be resolved")
  func leaverCompletes() throws {
    try world.start()
    let id = try world.ask(ben, [ann, cho], "wood?")
    try world.pass(day - 60_000)
    try world.reply(ann, to: id, "yes")
    _ = try states()
    try world.quit(cho)
    #expect(try states() == [ann: .complete, ben: .complete])
    try world.pass(day - 1)
    #expect(try world.save(ann, "traded", resolved: [id]).exchanges.isEmpty)
  }

  @Test("1.9 an exchange whose time is up is told to the player who has the turn, too")
  func timeCompletes() throws {
    try world.start()
    let id = try world.ask(ben, [cho, ann], "wood?")
    try world.reply(cho, to: id, "yes")
    try world.move(ann, "a", next: [cho])
    _ = try states()
    try world.pass(day)
    #expect(try states() == [ann: .complete, ben: .complete, cho: .complete])
  }

  @Test("1.9 1.11 in a game with sealed rounds an exchange is its own players' alone")
  func sealedExchange() throws {
    try world.start { $0.options.hasSealedRounds = true }
    let id = try world.ask(ann, [ben], "private")
    try world.reply(ben, to: id, "answer")
    #expect(try world.read(cho).info.exchanges.isEmpty)
    #expect(failure { _ = try world.readExchange(cho, id) }?.argument == "exchange")
    #expect(failure { try world.save(cho, "s", resolved: [id]) }?.argument == "resolved")
    #expect(try world.save(ben, "s", resolved: [id]).exchanges.isEmpty)
  }

  @Test("2.9 an exchange carries no words between two receivers of whom one blocks the other")
  func blockedReceivers() throws {
    for (blocker, blocked) in [(ben, cho), (cho, ben)] {
      let world = try TurnWorld([ann, ben, cho])
      try world.start()
      world.blocks = [blocker: [blocked]]
      #expect(failure { _ = try world.ask(ann, [ben, cho], "x") }?.code == .notReachable)
      world.blocks = [:]
      let id = try world.ask(ann, [ben, cho], "x")
      world.blocks = [blocker: [blocked]]
      #expect(failure { try world.reply(ben, to: id, "y") }?.code == .notReachable)
      world.blocks = [:]
      try world.reply(ben, to: id, "b")
      try world.reply(cho, to: id, "c")
      world.blocks = [blocker: [blocked]]
      #expect(try world.readExchange(ben, id).answers.map(\.player) == [ben])
      #expect(try world.readExchange(ann, id).answers.map(\.player) == [ben, cho])
    }
  }

  @Test("2.9 who has the turn reads no words of a player whom they block, or who blocks them")
  func blockedResolver() throws {
    try world.start()
    let id = try world.ask(ben, [cho], "x")
    try world.reply(cho, to: id, "y")
    #expect(try world.readExchange(ann, id).answers.count == 1)
    for (blocker, blocked) in [(ben, ann), (ann, ben)] {
      world.blocks = [blocker: [blocked]]
      let read = try world.readExchange(ann, id)
      #expect(read.request.array.isEmpty && read.answers.map(\.player) == [cho])
    }
  }

  @Test("1.11 the end of a pause is told to whom the game waits for")
  func resumed() throws {
    try world.start { $0.options.playerClockMilliseconds = 100_000 }
    try world.move(ann, "a1")
    try world.propose(ann, .pause)
    try world.agree(ben)
    try world.agree(cho)
    _ = try world.driver.streamEvents(TurnPassed.self)
    try world.resume(ann)
    #expect(try world.driver.streamEvents(TurnPassed.self).map(\.player) == [ben])
    try world.propose(ben, .pause)
    try world.agree(ann)
    try world.agree(cho)
    try world.quit(ben)
    try world.resume(ann)
    #expect(try world.driver.streamEvents(TurnPassed.self).map(\.player) == [cho])
  }

  /// How often it can be done until the budget is used up, in a moment and after an hour.
  private func count(_ body: () throws -> Void) throws -> [Int] {
    var counts: [Int] = []
    for _ in 0..<2 {
      var count = 0
      while count < 1_000 {
        guard let failure = failure(body) else {
          count += 1
          continue
        }
        #expect(failure.code == .rateLimited && failure.retryAfterMilliseconds > 0)
        break
      }
      counts.append(count)
      try world.driver.restart()
      try world.pass(3_600_000)
    }
    return counts
  }

  @Test("2.11 1.9 nobody fills others' streams with proposals, exchanges or games")
  func budget() throws {
    try world.start()
    let proposals = try count {
      try world.propose(ben, .pause)
      try world.agree(ben, accept: false)
    }
    #expect(proposals.allSatisfy { (10...100).contains($0) })
    let exchanges = try count { try world.cancel(cho, world.ask(cho, [ann, ben], "x")) }
    #expect(exchanges.allSatisfy { (10...100).contains($0) })
    try world.quit(ben)
    try world.quit(cho)
    let games = try count {
      try world.start([ann, ben, cho], accepts: false)
      try world.end(ann, [(ann, .tied), (ben, .tied), (cho, .tied)])
    }
    #expect(games.allSatisfy { (10...100).contains($0) })
  }

  @Test("2.9 who blocks the proposer, or is blocked, gets a hint of a proposal and no event")
  func blockedProposal() throws {
    for (blocker, blocked) in [(ann, ben), (ben, ann)] {
      let world = try TurnWorld([ann, ben, cho])
      try world.start()
      world.blocks = [blocker: [blocked]]
      world.driver.hints = []
      try world.propose(ann, .pause)
      #expect(try world.driver.streamEvents(TurnProposalChanged.self).map(\.player) == [cho])
      #expect(try world.driver.takeHints(TurnGameChanged.self).map(\.player).contains(ben))
      try world.agree(ben, accept: false)
      #expect(try world.driver.streamEvents(TurnProposalChanged.self).map(\.player) == [cho])
    }
  }
}
