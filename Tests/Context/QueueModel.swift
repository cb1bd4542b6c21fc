import Operations
import Wire

/// Matchmaking as section 3.2 says it, in the plainest way: every set of tickets is looked at.
struct QueueModel {
  struct Ticket {
    var id = MatchTicketID()
    var players: [PlayerID]
    var criteria: MatchCriteria
    var createdAt: Int64
    /// Counts the tickets.
    var number: Int
  }

  var definition: QueueDefinition
  var blocks: [PlayerID: Set<PlayerID>] = [:]
  /// The oldest first.
  var waiting: [Ticket] = []

  /// What is wrong with a match of these tickets at a time; empty for a good one.
  func faults(of match: [Ticket], now: Int64) -> [String] {
    var faults: [String] = []
    let players = match.flatMap(\.players)
    if match.count < 2 { faults.append("alone") }
    if Set(players).count != players.count { faults.append("twice") }
    for ticket in match {
      let least = least(ticket, now)
      if players.count < least { faults.append("few") }
      if players.count > min(16, ticket.criteria.maxPlayers) { faults.append("many") }
    }
    let masks = match.map(\.criteria.playerAttributes)
    if masks.contains(where: { $0 != 0 }), masks.reduce(0, |) != 0xffff_ffff {
      faults.append("attributes")
    }
    for one in match {
      for other in match where one.id != other.id {
        if one.players.contains(where: { blocks[$0]?.isDisjoint(with: other.players) == false }) {
          faults.append("blocked")
        }
        for rule in definition.rules where !accepts(one, other, rule, now) {
          faults.append("\(rule.kind)")
        }
      }
    }
    if !isNearSomewhere(match, now) { faults.append("latency") }
    return faults
  }

  private func step(_ kind: MatchRule, _ ticket: Ticket, _ now: Int64) -> MatchRuleStep {
    var found = kind.steps[0]
    for step in kind.steps where Int64(step.after) * 1000 <= now - ticket.createdAt {
      found = step
    }
    return found
  }

  private func least(_ ticket: Ticket, _ now: Int64) -> Int {
    var least = ticket.criteria.minPlayers
    for rule in definition.rules where rule.kind == .size {
      least = min(least, step(rule, ticket, now).limit)
    }
    return Int(least)
  }

  /// Whether one ticket takes another, by a rule about pairs.
  private func accepts(_ one: Ticket, _ other: Ticket, _ rule: MatchRule, _ now: Int64) -> Bool {
    let step = step(rule, one, now)
    if step.isAny { return true }
    switch rule.kind {
    case .number:
      let values = [one, other].map { ticket in
        ticket.criteria.numbers.first { $0.name == rule.property }?.value ?? 0
      }
      return abs(values[0] - values[1]) <= Int64(step.limit)
    case .word:
      let words = [one, other].map { ticket in
        ticket.criteria.words.first { $0.name == rule.property }?.word ?? ""
      }
      return words[0] == words[1]
    default: return true
    }
  }

  private func isNearSomewhere(_ match: [Ticket], _ now: Int64) -> Bool {
    guard let rule = definition.rules.first(where: { $0.kind == .latency }) else { return true }
    return definition.regions.contains { region in
      match.allSatisfy { ticket in
        let step = step(rule, ticket, now)
        if step.isAny { return true }
        let latency = ticket.criteria.latencies.first { $0.region == region }?.milliseconds
        return latency.map { $0 <= step.limit } ?? false
      }
    }
  }

  /// All matches that the tickets could make. Sets with two that do not fit each other, or that
  /// are too large, are left out before the rest is looked at.
  func matches(of tickets: [Ticket], with needed: MatchTicketID? = nil, now: Int64) -> [[Ticket]] {
    precondition(tickets.count <= 12)
    let unfit = tickets.map { one in
      tickets.indices.reduce(0) { bits, other in
        one.id != tickets[other].id && !isPair(one, tickets[other], now) ? bits | 1 << other : bits
      }
    }
    var found: [[Ticket]] = []
    for bits in 1..<(1 << tickets.count) {
      let places = tickets.indices.filter { bits & (1 << $0) != 0 }
      if places.contains(where: { unfit[$0] & bits != 0 }) { continue }
      let match = places.map { tickets[$0] }
      if let needed, !match.contains(where: { $0.id == needed }) { continue }
      if faults(of: match, now: now).isEmpty { found.append(match) }
    }
    return found
  }

  /// Whether nothing between two tickets forbids that they are in one match.
  private func isPair(_ one: Ticket, _ other: Ticket, _ now: Int64) -> Bool {
    let between = Set(faults(of: [one, other], now: now))
    return between.isDisjoint(with: ["many", "blocked", "number", "word", "latency"])
  }

  /// What is wrong with the choice of a match that a ticket has found at a time, among those who
  /// waited.
  func fault(ofChoice match: [Ticket], of finder: MatchTicketID, now: Int64) -> String? {
    let possible = matches(of: waiting, with: finder, now: now)
    let oldest = possible.flatMap { $0 }.filter { $0.id != finder }.map(\.number).min()
    guard let oldest else { return "no match was possible" }
    return match.contains { $0.number == oldest } ? nil : "ticket \(oldest) fits and is older"
  }
}
