import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Queues in which anything may happen between a match that is found and the last answer to it:
/// cancels, the ends of tickets' lives, blocks, tickets that come, crashes. Nothing is waited for.
@Suite struct MatchmakingRaceTests {
  @Test(
    "3.2 2.9 each ticket has one end, whatever comes between a match that is found and the last answer",
    arguments: UInt64(1)...40)
  func random(seed: UInt64) throws {
    let race = try QueueRace(seed: seed)
    for _ in 0..<400 { try race.step() }
    try race.finish()
    #expect(race.fault == nil, "seed \(seed)")
  }

  @Test("3.2 the race meets each of the ends, in the middle of a match that is found, too")
  func coverage() throws {
    var counts: [String: Int] = [:]
    for seed in UInt64(1)...12 {
      let race = try QueueRace(seed: seed)
      for _ in 0..<400 { try race.step() }
      try race.finish()
      counts.merge(race.counts, uniquingKeysWith: +)
    }
    for wanted in [
      "matched", "cancelled", "expired", "refused", "cancelled while found", "too late", "restart",
      "expired while found", "party",
    ] { #expect(counts[wanted, default: 0] > 0, "\(wanted)") }
  }

  @Test("3.2 2.9 the race would notice a second end, a lost ticket, a wrong match and a block")
  func canaries() throws {
    func fault(isDeaf: Bool = false, _ spoil: (QueueRace) -> Void = { _ in }) throws -> String? {
      for seed in UInt64(1)...20 {
        let race = try QueueRace(seed: seed)
        race.isDeaf = isDeaf
        for _ in 0..<300 { try race.step() }
        spoil(race)
        try race.finish()
        if let fault = race.fault { return fault }
      }
      return nil
    }
    #expect(try fault(isDeaf: true) == "a block did not keep players apart")
    #expect(try fault { $0.forgetOneEnd() } == "a ticket was lost")
    #expect(try fault { $0.repeatOneEnd() } == "a ticket has two ends")
    #expect(try fault { $0.turnOneCancel() } == "who cancelled was told otherwise")
  }
}

/// One race, and what is known of its tickets.
final class QueueRace {
  struct Ticket {
    var players: [PlayerID]
    var most: Int
    /// How many blocks there were when it came.
    var blockCount: Int
    /// By player: how it ended, each time that the player was told.
    var ends: [PlayerID: [TicketState]] = [:]
    var cancels: [TicketState] = []
  }

  private let world: QueueWorld
  private var random: RandomSource
  private(set) var tickets: [MatchTicketID: Ticket] = [:]
  private var order: [MatchTicketID] = []
  private var blocks: [(PlayerID, PlayerID)] = []
  private var questions: [ConfirmMatch] = []
  private var matches: [ContextID: [MatchFound]] = [:]
  private(set) var counts: [String: Int] = [:]
  private(set) var fault: String?
  /// For the canaries: no player's key knows of blocks.
  var isDeaf = false

  init(seed: UInt64) throws {
    random = .seeded(seed &* 0x9e37_79b9)
    world = QueueWorld(seed: seed)
    var definition = QueueDefinition(
      lifetime: 30,
      rules: [MatchRule(.size, "", [.init(after: 0, limit: 3), .init(after: 5, limit: 2)])])
    definition.maxPlayers = 4
    _ = try world.define(definition)
  }

  private func chance(_ one: Int, in many: Int) -> Bool {
    Int.random(in: 0..<many, using: &random) < one
  }

  private func count(_ what: String) { counts[what, default: 0] += 1 }

  private func player() -> PlayerID {
    QueueWorld.player(Int.random(in: 0..<8, using: &random))
  }

  func step() throws {
    world.driver.clock += 1
    try collect()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: try come()
    case 22..<34: try cancel()
    case 34..<38: block()
    case 38..<62: if let question = take() { try answer(question) }
    case 62..<86:
      _ = try world.driver.deliverOwnEffects(atMost: Int.random(in: 1...4, using: &random))
    case 86..<96:
      world.driver.clock += Int64.random(in: 1...6_000, using: &random)
      world.driver.runTimers(atMost: Int.random(in: 1...3, using: &random))
    default:
      try world.driver.restart()
      count("restart")
    }
  }

  private func come() throws {
    let first = player()
    let isParty = chance(1, in: 4)
    var players = [first]
    if isParty {
      let other = player()
      if other != first { players.append(other) }
    }
    let least = UInt32.random(in: 2...3, using: &random)
    let most = UInt32.random(in: max(least, UInt32(players.count + 1))...4, using: &random)
    let new = Ticket(players: players, most: Int(most), blockCount: blocks.count)
    do {
      let ticket = try world.find(
        first, MatchCriteria(least, most), with: Array(players.dropFirst())
      ).ticket
      tickets[ticket] = new
      order.append(ticket)
      if players.count > 1 { count("party") }
    } catch is Failure {
      count("refused to wait")
    }
  }

  private func cancel() throws {
    guard let id = order.suffix(6).randomElement(using: &random),
      let player = tickets[id]?.players.randomElement(using: &random)
    else { return }
    let isFound = questions.contains { tickets[id]?.players.contains($0.player) == true }
    do {
      let reply = try world.cancel(id, as: player)
      tickets[id]?.cancels.append(reply.state)
      if reply.state != .cancelled { return count("too late") }
      if isFound { count("cancelled while found") }
    } catch is Failure {
      // The end is on its way to the player's list, or the ticket was never there.
    }
  }

  private func block() {
    let (one, other) = (player(), player())
    // Few enough for matches to be found.
    if one == other || blocks.count >= 6 { return }
    world.blocks[one, default: []].insert(other)
    blocks.append((one, other))
  }

  // MARK: What is under way

  /// Takes down what players were told, and which questions their keys got.
  private func collect() throws {
    questions += try world.driver.takeEffects(ConfirmMatch.self).map(\.operation)
    for event in try world.driver.takeEffects(AppendEvent.self).map(\.operation) {
      if event.kind == MatchFound.opcode.rawValue {
        let found = try MatchFound(decoding: event.body.array)
        matches[found.context, default: []].append(found)
        tickets[found.ticket]?.ends[event.player, default: []].append(.matched)
      } else if event.kind == TicketEnded.opcode.rawValue {
        let info = try TicketEnded(decoding: event.body.array).info
        tickets[info.ticket]?.ends[event.player, default: []].append(info.state)
        let isFound = questions.contains { info.players.contains($0.player) }
        if isFound && info.state == .expired { count("expired while found") }
      }
    }
  }

  private func take() -> ConfirmMatch? {
    guard let index = questions.indices.randomElement(using: &random) else { return nil }
    return questions.remove(at: index)
  }

  private func answer(_ question: ConfirmMatch) throws {
    var answer = MatchConfirmed()
    (answer.queue, answer.match, answer.player) =
      (question.queue, question.match, question.player)
    let blocked = isDeaf ? [] : world.blocks[question.player] ?? []
    if question.others.contains(where: blocked.contains) {
      answer.blocked = blocked.sorted()
      count("refused")
    }
    try world.driver.call(answer, as: PlayerID(), kind: .service)
  }

  // MARK: The end

  /// Delivers all that is under way, lets every ticket's life end, and looks at what has come of
  /// them.
  func finish() throws {
    for _ in 0..<400 {
      try collect()
      while let question = take() { try answer(question) }
      _ = try world.driver.deliverOwnEffects()
      try collect()
      if questions.isEmpty {
        world.driver.clock += 1_000
        world.driver.runTimers(atMost: 8)
      }
    }
    for id in order where fault == nil { if let ticket = tickets[id] { try check(id, ticket) } }
    for found in matches.values where fault == nil { check(found) }
    if fault == nil, try world.activity().waitingTickets != 0 { fault = "a ticket waits for ever" }
  }

  private func check(_ id: MatchTicketID, _ ticket: Ticket) throws {
    var all: Set<TicketState> = []
    for player in ticket.players {
      let ends = ticket.ends[player] ?? []
      if ends.count > 1 { return fault = "a ticket has two ends" }
      let listed = try world.tickets(player).first { $0.ticket == id }?.state
      if let listed, let end = ends.first, listed != end {
        return fault = "a list has another end than the one that was told"
      }
      guard let end = ends.first ?? listed ?? ticket.cancels.first, end != .waiting else {
        return fault = "a ticket was lost"
      }
      // Whoever cancels hears of it by the answer alone.
      if ends.isEmpty && ticket.cancels.isEmpty { return fault = "a ticket was lost" }
      all.insert(end)
    }
    if all.count != 1 { return fault = "a ticket ended differently for its players" }
    if ticket.cancels.contains(where: { $0 != all.first }) {
      return fault = "who cancelled was told otherwise"
    }
    if let end = all.first { count("\(end)") }
  }

  private func check(_ found: [MatchFound]) {
    let players = found[0].players
    if Set(players).count != players.count || found.count != players.count
      || found.contains(where: { $0.players != players })
    {
      return fault = "the players of a match were told differently"
    }
    let own = Set(found.map(\.ticket)).compactMap { tickets[$0] }
    if own.flatMap(\.players).sorted() != players.sorted() {
      return fault = "a party was divided"
    }
    if players.count < 2 || own.count > 1 && own.contains(where: { $0.most < players.count }) {
      return fault = "a match has a wrong size"
    }
    // A block from before the last of the tickets came holds for all of them.
    let count = own.map(\.blockCount).max() ?? 0
    let isApart = blocks.prefix(count).contains { block in
      players.contains(block.0) && players.contains(block.1)
    }
    if isApart { fault = "a block did not keep players apart" }
  }

  // MARK: Canaries

  private var endedTicket: MatchTicketID? {
    order.first { tickets[$0]?.cancels.isEmpty == true && tickets[$0]?.ends.isEmpty == false }
  }

  func forgetOneEnd() { if let id = endedTicket { tickets[id]?.ends = [:] } }

  func repeatOneEnd() {
    guard let id = endedTicket, let player = tickets[id]?.players[0] else { return }
    tickets[id]?.ends[player]?.append(.cancelled)
  }

  func turnOneCancel() {
    guard let id = order.first(where: { tickets[$0]?.cancels == [.cancelled] }) else { return }
    tickets[id]?.cancels = [.matched]
  }
}
