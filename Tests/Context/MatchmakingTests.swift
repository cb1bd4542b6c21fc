import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct MatchmakingTests {
  let world = QueueWorld()

  private func player(_ number: Int) -> PlayerID { QueueWorld.player(number) }

  @Test("3.2 two who wait in a player group get a match, in one context, and are told")
  func pair() throws {
    let first = try world.find(player(1)).ticket
    try world.settle()
    #expect(try world.tickets(player(1)).map(\.state) == [.waiting])
    let second = try world.find(player(2)).ticket
    try world.settle()
    let event = try #require(world.found.first?.event)
    let (context, players) = (event.context, event.players)
    #expect(players == [player(1), player(2)])
    #expect(world.found.map(\.player) == players)
    #expect(world.found.map(\.event.ticket) == [first, second])
    #expect(world.found.allSatisfy { $0.event.expectedPlayerCount == 2 })
    let info = try world.driver.get(context, as: player(2))
    #expect(info.form == .matched && info.size == 2)
    #expect(info.players.allSatisfy { $0.state == .active })
    #expect(try world.tickets(player(1)).map(\.state) == [.matched])
    #expect(try world.tickets(player(2)).first?.context == context)
    let hints = try world.driver.takeHints(TicketChanged.self)
    #expect(hints.map(\.event.state) == [.matched, .matched])
    #expect(try world.activity().waitingTickets == 0)
  }

  @Test("3.2 player groups and games are pools of their own")
  func groups() throws {
    try world.find(player(1), in: "1")
    try world.find(player(2), in: "2")
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(3), in: "2")
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(2), player(3)]])
  }

  @Test("3.2 masks of player attributes make up all ones")
  func attributes() throws {
    let (low, high): (UInt32, UInt32) = (0x0000_ffff, 0xffff_0000)
    try world.find(player(1), MatchCriteria(2, 2, attributes: low))
    try world.find(player(2), MatchCriteria(2, 2, attributes: low))
    try world.find(player(3), MatchCriteria(2, 2))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(4), MatchCriteria(2, 2, attributes: high))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(4)]])
  }

  @Test("3.2 three roles of four wait for the fourth, however many of the three there are")
  func roles() throws {
    let masks: [UInt32] = [0xff, 0xff00, 0xff_0000, 0xff00_0000]
    for number in 0..<60 {
      try world.find(player(number), MatchCriteria(4, 4, attributes: masks[number % 3]))
    }
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(99), MatchCriteria(4, 4, attributes: masks[3]))
    try world.settle()
    #expect(
      world.takeFound().values.map { $0 } == [[player(0), player(1), player(2), player(99)]])
  }

  @Test("3.2 a match has as many players as each of them asks for")
  func sizes() throws {
    try world.find(player(1), MatchCriteria(3, 4))
    try world.find(player(2), MatchCriteria(3, .max))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(3), MatchCriteria(2, 2))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(4), MatchCriteria(2, 16))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(2), player(4)]])
  }

  @Test("3.2 a rule loosens with waiting time, and looks for a match when it does")
  func loosening() throws {
    let skill = MatchRule(
      .number, "skill",
      [.init(after: 0, limit: 10), .init(after: 5, limit: 50), .init(after: 20, isAny: true)])
    #expect(try world.define(QueueDefinition(rules: [skill])) == .created)
    try world.find(player(1), MatchCriteria(2, 2, skill: 100))
    try world.find(player(2), MatchCriteria(2, 2, skill: 140))
    try world.find(player(3), MatchCriteria(2, 2, skill: 1000))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.pass(4999)
    #expect(world.found.isEmpty)
    try world.driver.restart()
    try world.pass(1)
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(2)]])
    try world.pass(10_000)
    try world.find(player(4), MatchCriteria(2, 2, skill: 0))
    try world.settle()
    try world.pass(19_999)
    #expect(world.found.isEmpty, "both have to accept the other")
    try world.pass(1)
    #expect(world.takeFound().values.map { $0 } == [[player(3), player(4)]])
  }

  @Test("3.2 words are equal until both take any")
  func words() throws {
    let map = MatchRule(.word, "map", [.init(after: 0), .init(after: 10, isAny: true)])
    _ = try world.define(QueueDefinition(rules: [map]))
    func criteria(_ word: String) -> MatchCriteria {
      MatchCriteria(2, 2, words: [TicketWord("map", word)])
    }
    try world.find(player(1), criteria("hills"))
    try world.find(player(2), criteria("coast"))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(3), criteria("coast"))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(2), player(3)]])
    try world.pass(10_000)
    try world.find(player(4), criteria("coast"))
    try world.settle()
    #expect(world.found.isEmpty, "the fourth still wants its own word")
    try world.pass(10_000)
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(4)]])
  }

  @Test("3.2 all of a match are near one region; a missing latency is unknown and not zero")
  func latency() throws {
    let near = MatchRule(
      .latency, "", [.init(after: 0, limit: 50), .init(after: 30, isAny: true)])
    _ = try world.define(QueueDefinition(regions: ["north", "south"], rules: [near]))
    func criteria(_ latencies: [TicketLatency]) -> MatchCriteria {
      MatchCriteria(2, 2, latencies: latencies)
    }
    try world.find(player(1), criteria([]))
    try world.find(player(2), criteria([.init("north", 20), .init("south", 90)]))
    try world.find(player(3), criteria([.init("south", 10)]))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(4), criteria([.init("south", 40), .init("north", 50)]))
    try world.settle()
    #expect(world.found.first?.event.region == "north")
    #expect(world.takeFound().values.map { $0 } == [[player(2), player(4)]])
    try world.pass(30_000)
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(3)]])
  }

  @Test("3.2 fewer players are enough after a while")
  func sizeLoosens() throws {
    let size = MatchRule(.size, "", [.init(after: 0, limit: 4), .init(after: 8, limit: 2)])
    var definition = QueueDefinition(rules: [size])
    definition.minPlayers = 4
    _ = try world.define(definition)
    try world.find(player(1), MatchCriteria(2, 16))
    try world.find(player(2), MatchCriteria(2, 16))
    try world.pass(7_999)
    #expect(world.found.isEmpty)
    try world.pass(1)
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(2)]])
  }

  @Test("3.2 of those who fit, the oldest is in the match, also after a restart")
  func oldest() throws {
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 5)])
    _ = try world.define(QueueDefinition(rules: [skill]))
    for (number, value) in [Int64(20), 10, 0, 10].enumerated() where number != 3 {
      try world.find(player(number), MatchCriteria(2, 2, skill: value))
    }
    try world.settle()
    #expect(world.found.isEmpty)
    try world.driver.restart()
    try world.find(player(5), MatchCriteria(2, 2, skill: 5))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(5)]])
  }

  @Test("3.2 2.9 players of whom one blocks another are never put together")
  func blocked() throws {
    world.blocks[player(1)] = [player(2)]
    try world.find(player(1))
    try world.find(player(2))
    try world.settle()
    #expect(world.found.isEmpty && world.refusalCount == 1)
    #expect(try world.tickets(player(2)).map(\.state) == [.waiting])
    #expect(try world.driver.takeHints(TicketChanged.self).isEmpty)
    try world.driver.restart()
    try world.find(player(3))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(3)]])
    #expect(world.refusalCount == 1)
    try world.find(player(4))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(2), player(4)]])
  }

  @Test("3.2 2.9 a block that came after the ticket holds, also in a match of many")
  func blockedLater() throws {
    for number in 1...3 { try world.find(player(number), MatchCriteria(4, 4)) }
    try world.settle()
    world.blocks[player(9)] = [player(2)]
    try world.find(player(9), MatchCriteria(4, 4))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(4), MatchCriteria(4, 4))
    try world.settle()
    #expect(
      world.takeFound().values.map { $0 } == [[player(1), player(2), player(3), player(4)]])
  }
}
