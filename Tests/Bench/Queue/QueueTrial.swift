import BenchMachine
import ContextCore
import Domain
import Operations
import Wire

/// What tickets cost the context service, the changes of rows included and the store left out,
/// while many others wait. Every second ticket makes a match with one of those that wait, which
/// both players confirm; the other waits in its place.
struct QueueTrial {
  let waiting: Int
  let operations: Int
  private let engine: Engine
  private let key = RoutingKey(game: "bench", name: "ranked")
  private static let gap: Int64 = 1_000

  /// - Parameter rules: nil for one about a number, which loosens.
  init(waiting: Int, operations: Int, regions: [String] = [], rules: [MatchRule]? = nil) {
    self.waiting = waiting
    self.operations = operations
    engine = Engine(
      core: ContextCore(), partition: .whole, store: StoreID(), lastBatch: 0, lastTime: 0,
      clock: 0, random: .seeded(1))
    engine.load { _, _ in }
    var definition = DefineQueue()
    definition.definition.playerGroup = "ranked"
    definition.definition.lifetimeSeconds = 3600
    var rule = MatchRule()
    rule.property = "skill"
    rule.steps = [MatchRuleStep(after: 0, limit: 50), MatchRuleStep(after: 900, limit: 400)]
    definition.definition.rules = rules ?? [rule]
    definition.definition.regions = regions
    _ = call(definition, kind: .gameServer, player: PlayerID())
  }

  /// Returns the nanoseconds of a ticket, and how many found a match.
  func run() -> (nanoseconds: Double, matchCount: Int) {
    var random = SplitMix()
    var places = Array(0..<waiting)
    for place in places { find(place, Int64(place) * Self.gap) }
    var next = waiting
    var matchCount = 0
    let cost = nanoseconds(each: operations) { _ in
      let chosen = Int(random.next() % UInt64(places.count))
      let place = places[chosen]
      let outcome = find(next, Int64(place) * Self.gap + 30)
      matchCount += confirm(outcome)
      places[chosen] = next + 1
      find(next + 1, Int64(next + 1) * Self.gap)
      next += 2
    }
    return (cost / 2, matchCount)
  }

  @discardableResult
  private func find(_ number: Int, _ skill: Int64) -> Outcome {
    var operation = FindMatch()
    operation.playerGroup = "ranked"
    operation.criteria.numbers = [TicketNumber("skill", skill)]
    return find(number, operation)
  }

  func find(_ number: Int, _ operation: FindMatch) -> Outcome {
    let player = Self.player(number)
    var envelope = self.envelope(.player, player)
    envelope.facts = Facts([
      Fact(
        FetchTickets.opcode, at: RoutingKey(reinterpreting: player),
        reply: ListTickets.Reply().encoded)
    ])
    return finish(Request(opcode: FindMatch.opcode, envelope: envelope, body: operation.encoded))
  }

  /// Has the players of a match that was found confirm it; returns how many matches that made.
  private func confirm(_ outcome: Outcome) -> Int {
    var last = outcome
    for row in outcome.effects where row.opcode == ConfirmMatch.opcode.rawValue {
      guard let question = try? ConfirmMatch(decoding: row.body.array) else { continue }
      var answer = MatchConfirmed()
      answer.queue = question.queue
      answer.match = question.match
      answer.player = question.player
      last = call(answer, kind: .service, player: PlayerID())
    }
    return last.effects.contains { $0.opcode == OpenContext.opcode.rawValue } ? 1 : 0
  }

  func call<O: Operation>(_ operation: O, kind: PrincipalKind, player: PlayerID)
    -> Outcome
  {
    finish(
      Request(
        opcode: O.opcode, envelope: envelope(kind, player), body: operation.encoded))
  }

  private func envelope(_ kind: PrincipalKind, _ player: PlayerID) -> ServiceEnvelope {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(kind: kind, game: "bench", player: player, device: DeviceID())
    envelope.routingKey = key
    return envelope
  }

  private func finish(_ request: Request) -> Outcome {
    guard case .done(let outcome) = engine.apply(request, clock: 1), case .reply = outcome.answer
    else { preconditionFailure("a call of the trial was refused") }
    // As if all were delivered: what is open is kept in memory.
    for effect in outcome.effects { _ = engine.delivered(effect.key) }
    if engine.isBatchFull { engine.startBatch() }
    return outcome
  }

  static func player(_ number: Int) -> PlayerID {
    PlayerID(high: UInt64(number) &* 0x9e37_79b9_7f4a_7c15, low: UInt64(number) + 1)
  }
}

/// A matchmaker that looks at the whole pool for each ticket, as the usual ones do: the same trial,
/// without rows or an engine.
struct ScanTrial {
  private struct Ticket {
    var skill: Int64
    var tolerance: Int64
    var minPlayers: UInt32
    var maxPlayers: UInt32
    var attributes: UInt32
    var number: Int
  }

  let waiting: Int
  let operations: Int

  func run() -> (nanoseconds: Double, matchCount: Int) {
    var random = SplitMix()
    var pool: [Ticket] = []
    for place in 0..<waiting { pool.append(ticket(place, Int64(place) * 1_000)) }
    var next = waiting
    var matchCount = 0
    let cost = nanoseconds(each: operations) { _ in
      let skill = pool[Int(random.next() % UInt64(pool.count))].skill + 30
      let mine = ticket(next, skill)
      var best = -1
      for place in pool.indices where fits(pool[place], mine) {
        if best < 0 || pool[place].number < pool[best].number { best = place }
      }
      if best >= 0 {
        pool.swapAt(best, pool.count - 1)
        pool.removeLast()
        matchCount += 1
      }
      let other = ticket(next + 1, Int64(next + 1) * 1_000)
      if !pool.contains(where: { fits($0, other) }) { pool.append(other) }
      next += 2
    }
    return (cost / 2, matchCount)
  }

  private func ticket(_ number: Int, _ skill: Int64) -> Ticket {
    Ticket(
      skill: skill, tolerance: 50, minPlayers: 2, maxPlayers: 2, attributes: 0, number: number)
  }

  private func fits(_ one: Ticket, _ other: Ticket) -> Bool {
    abs(one.skill - other.skill) <= min(one.tolerance, other.tolerance)
      && one.minPlayers <= other.maxPlayers && other.minPlayers <= one.maxPlayers
      && (one.attributes | other.attributes == 0 || one.attributes | other.attributes == .max)
  }
}
