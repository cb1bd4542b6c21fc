import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Queues beside `QueueModel`, which looks at every set of tickets.
@Suite struct MatchmakingPropertyTests {
  @Test(
    "3.2 2.9 no ticket is lost or in two matches, and each match is right and has the oldest that fits",
    arguments: 0..<24)
  func random(seed: Int) throws {
    var random = RandomSource.seeded(UInt64(seed))
    let game = QueueGame(seed: UInt64(seed), using: &random)
    for _ in 0..<100 {
      try game.step(&random)
      if let fault = game.fault {
        Issue.record("seed \(seed): \(fault)")
        return
      }
    }
    #expect(game.matchCount > 0, "seed \(seed)")
  }

  // The checks of the test above, given wrong matches.

  private let model: QueueModel = {
    var definition = QueueDefinition(
      regions: ["north"],
      rules: [
        MatchRule(.number, "skill", [.init(after: 0, limit: 5), .init(after: 9, isAny: true)]),
        MatchRule(.word, "map", [.init(after: 0)]),
        MatchRule(.latency, "", [.init(after: 0, limit: 50)]),
      ])
    definition.minPlayers = 2
    return QueueModel(definition: definition)
  }()

  private func ticket(_ number: Int, _ change: (inout QueueModel.Ticket) -> Void = { _ in })
    -> QueueModel.Ticket
  {
    var ticket = QueueModel.Ticket(
      id: .sample(UInt64(number)), players: [QueueWorld.player(number)],
      criteria: MatchCriteria(
        2, 2, skill: 0, words: [.init("map", "a")], latencies: [.init("north", 50)]),
      createdAt: 0, number: number)
    change(&ticket)
    return ticket
  }

  @Test("3.2 2.9 a wrong match would be noticed, whatever is wrong with it")
  func canaries() {
    #expect(model.faults(of: [ticket(1), ticket(2)], now: 0).isEmpty)
    func faults(_ change: (inout QueueModel.Ticket) -> Void, now: Int64 = 0) -> Set<String> {
      Set(model.faults(of: [ticket(1), ticket(2, change)], now: now))
    }
    #expect(Set(model.faults(of: [ticket(1)], now: 0)) == ["alone", "few"])
    #expect(faults { $0.players = [QueueWorld.player(1)] } == ["twice"])
    #expect(faults { $0.criteria.minPlayers = 3 } == ["few"])
    #expect(faults { $0.players.append(QueueWorld.player(3)) } == ["many"])
    #expect(faults { $0.criteria.playerAttributes = 1 } == ["attributes"])
    #expect(faults { $0.criteria.numbers[0].value = 6 } == ["number"])
    #expect(faults({ $0.criteria.numbers[0].value = 6 }, now: 9000).isEmpty)
    #expect(faults { $0.criteria.words[0].word = "b" } == ["word"])
    #expect(faults { $0.criteria.latencies = [] } == ["latency"])
    var blocking = model
    blocking.blocks[QueueWorld.player(2)] = [QueueWorld.player(1)]
    #expect(Set(blocking.faults(of: [ticket(1), ticket(2)], now: 0)) == ["blocked"])
  }

  @Test("3.2 a match without the oldest ticket that fits would be noticed, and a missed one")
  func choiceCanaries() {
    var world = model
    world.waiting = [
      ticket(1) { $0.criteria.numbers[0].value = 99 }, ticket(2), ticket(3), ticket(4),
    ]
    let (two, three, four) = (world.waiting[1], world.waiting[2], world.waiting[3])
    #expect(world.fault(ofChoice: [two, four], of: four.id, now: 0) == nil)
    #expect(world.fault(ofChoice: [three, four], of: four.id, now: 0) != nil)
    #expect(world.matches(of: [two, three], now: 0).count == 1)
  }
}

/// One random game with a queue, step by step.
final class QueueGame {
  private let world: QueueWorld
  private var model: QueueModel
  private var states: [MatchTicketID: TicketState] = [:]
  private var byPlayer: [PlayerID: MatchTicketID] = [:]
  private var nextPlayer = 0
  private let hasParties: Bool
  private let masks: [UInt32]
  private let restarts: Bool
  private(set) var matchCount = 0
  private(set) var fault: String?

  init(seed: UInt64, using random: inout RandomSource) {
    world = QueueWorld(seed: seed)
    let rules: [MatchRule] = [
      MatchRule(
        .number, "skill",
        [.init(after: 0, limit: 10), .init(after: 4, limit: 40), .init(after: 15, isAny: true)]),
      MatchRule(.word, "map", [.init(after: 0), .init(after: 9, isAny: true)]),
      MatchRule(.word, "mode", [.init(after: 0), .init(after: 4, isAny: true)]),
      MatchRule(
        .latency, "",
        [
          .init(after: 0, limit: 40), .init(after: 9, limit: 80),
          .init(after: 20, isAny: true),
        ]),
      MatchRule(.size, "", [.init(after: 0, limit: 3), .init(after: 15, limit: 2)]),
    ].filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    model = QueueModel(
      definition: QueueDefinition(lifetime: 40, regions: ["north", "south"], rules: rules))
    hasParties = Bool.random(using: &random)
    masks =
      Bool.random(using: &random)
      ? [0] : [0, 0xffff, 0xffff_0000, .max, 0xff, 0xff00, 0x00ff_ff00]
    restarts = Bool.random(using: &random)
  }

  func step(_ random: inout RandomSource) throws {
    if nextPlayer == 0 { _ = try world.define(model.definition) }
    world.interruption = {}
    if restarts && Int.random(in: 0..<4, using: &random) == 0 {
      var left = Int.random(in: 1...6, using: &random)
      world.interruption = { [world] in
        left -= 1
        if left == 0 { try world.driver.restart() }
      }
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where !model.waiting.isEmpty: try cancel(&random)
    case 1 where !model.waiting.isEmpty: block(&random)
    case 2...4: try pass(Int64.random(in: 1...6000, using: &random))
    default:
      if model.waiting.count < 10 {
        try come(&random)
      } else {
        try pass(6000)
      }
    }
  }

  private func come(_ random: inout RandomSource) throws {
    // No two tickets change in the same millisecond, so that it is known which has found a match.
    world.driver.clock += 1
    let size = hasParties ? Int.random(in: 1...3, using: &random) : 1
    let players = (0..<size).map { QueueWorld.player(nextPlayer + $0) }
    nextPlayer += size
    let least = UInt32.random(in: 2...4, using: &random)
    var criteria = MatchCriteria(
      least, max(least, UInt32(size + 1)) + UInt32.random(in: 0...2, using: &random),
      attributes: masks.randomElement(using: &random) ?? 0,
      skill: Int64.random(in: 0...100, using: &random),
      words: ["map", "mode"].map { TicketWord($0, Bool.random(using: &random) ? "a" : "b") })
    for region in ["north", "south"] where Int.random(in: 0..<4, using: &random) > 0 {
      criteria.latencies.append(.init(region, .random(in: 0...100, using: &random)))
    }
    let ticket = try world.find(players[0], criteria, with: Array(players.dropFirst())).ticket
    model.waiting.append(
      .init(
        id: ticket, players: players, criteria: criteria, createdAt: world.driver.clock,
        number: nextPlayer))
    states[ticket] = .waiting
    for player in players { byPlayer[player] = ticket }
    try world.settle()
    try check(finder: ticket)
  }

  private func cancel(_ random: inout RandomSource) throws {
    guard let ticket = model.waiting.randomElement(using: &random),
      let player = ticket.players.randomElement(using: &random)
    else { return }
    let reply = try world.cancel(ticket.id, as: player)
    if reply.state != .cancelled { fault = "a waiting ticket is \(reply.state)" }
    states[ticket.id] = .cancelled
    model.waiting.removeAll { $0.id == ticket.id }
    try world.settle()
    try check(finder: nil)
  }

  private func block(_ random: inout RandomSource) {
    guard let one = model.waiting.randomElement(using: &random)?.players.first,
      let other = model.waiting.randomElement(using: &random)?.players.first, one != other
    else { return }
    world.blocks[one, default: []].insert(other)
    model.blocks = world.blocks
  }

  /// Serves one timer at a time.
  private func pass(_ milliseconds: Int64) throws {
    let end = world.driver.clock + milliseconds
    while fault == nil, let due = world.driver.engine.nextTimerDue, due <= end {
      try world.pass(max(0, due - world.driver.clock))
      let finder = model.waiting.first { (due - $0.createdAt) % 1000 == 0 }
      try check(finder: finder?.id)
    }
    world.driver.clock = end
  }

  private func check(finder: MatchTicketID?) throws {
    let now = world.driver.clock
    let before = world.refusalCount
    for (_, players) in world.takeFound().sorted(by: { $0.key < $1.key }) where fault == nil {
      checkMatch(players, finder: finder, refused: seenRefusals != before, now)
    }
    seenRefusals = before
    for ended in world.takeEnded() where ended.event.info.state == .expired {
      let id = ended.event.info.ticket
      guard let ticket = model.waiting.first(where: { $0.id == id }) else { continue }
      if now - ticket.createdAt < 40_000 { fault = "a ticket expired early" }
      states[id] = .expired
      model.waiting.removeAll { $0.id == id }
    }
    if let late = model.waiting.first(where: { now - $0.createdAt >= 40_000 }) {
      fault = "ticket \(late.number) did not expire"
    }
    if fault == nil, let missed = model.matches(of: model.waiting, now: now).first {
      fault = "\(missed.map(\.number)) fit each other and wait"
    }
    if fault == nil, try world.activity().waitingTickets != UInt32(model.waiting.count) {
      fault = "the queue has lost a ticket, or has one too many"
    }
    try checkLists()
  }

  private var seenRefusals = 0

  private func checkMatch(
    _ players: [PlayerID], finder: MatchTicketID?, refused: Bool, _ now: Int64
  ) {
    matchCount += 1
    let ids = Set(players.compactMap { byPlayer[$0] })
    let match = model.waiting.filter { ids.contains($0.id) }
    let isAlone =
      match.count == 1 && now - match[0].createdAt >= 40_000
      && match[0].players.count >= match[0].criteria.minPlayers
    if isAlone && match[0].players.sorted() == players.sorted() {
      // A party that is enough by itself has waited for others in vain.
    } else if match.count != ids.count {
      fault = "a ticket that does not wait is in a match"
    } else if Set(match.flatMap(\.players)) != Set(players)
      || match.flatMap(\.players).count != players.count
    {
      fault = "a party was divided, or a player is in a match twice"
    } else if let wrong = model.faults(of: match, now: now).first {
      fault = "a wrong match: \(wrong)"
    } else if let finder, !refused, match.contains(where: { $0.id == finder }) {
      fault = model.fault(ofChoice: match, of: finder, now: now)
    } else if !refused {
      fault = "a match was found by nobody"
    }
    for id in ids { states[id] = .matched }
    model.waiting.removeAll { ids.contains($0.id) }
  }

  /// What players are told of their tickets.
  private func checkLists() throws {
    for (player, id) in byPlayer.suffix(20) {
      let told = try world.tickets(player).first { $0.ticket == id }?.state
      if told != states[id] { fault = "\(player) is told of a wrong state" }
    }
  }
}
