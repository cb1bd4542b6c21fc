import Operations

extension Pool {
  /// Tickets that are looked at to find out why one was not matched.
  private static let hindranceLooksMax = 64
  private static let hindrancePlacesMax = 1_024

  /// The rule that kept a ticket from a match: the one that alone stands between it and the most
  /// others, else the first that stands between it and the most others. It is judged by some of
  /// those that wait, other ones for each ticket; those who avoid it are as if they did not wait.
  func hindrance(of slot: Int32) -> MatchRuleKind {
    let own = self[slot]
    var alone: [UInt8: Int] = [:]
    var first: [UInt8: Int] = [:]
    var looks = 0
    for step in 1..<min(Self.hindrancePlacesMax, max(1, tickets.count)) {
      let place = (Int(slot) + step) % tickets.count
      guard let other = tickets[place], other.rules.version == own.rules.version,
        !avoid(slot, Int32(place))
      else { continue }
      let failing = hindrances(own, other)
      // Those that fit each other were too few.
      if failing.count <= 1 { alone[(failing.first ?? .size).rawValue, default: 0] += 1 }
      if let kind = failing.first { first[kind.rawValue, default: 0] += 1 }
      looks += 1
      if looks == Self.hindranceLooksMax { break }
    }
    let counts = alone.isEmpty ? first : alone
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return most.map { MatchRuleKind(rawValue: $0.key) } ?? .nobody
  }

  private func hindrances(_ own: PoolTicket, _ other: PoolTicket) -> [MatchRuleKind] {
    var failing: [MatchRuleKind] = []
    for place in own.words.indices where own.words[place] != other.words[place] {
      if !(own.isAnyWord[place] && other.isAnyWord[place]) {
        failing.append(.word)
        break
      }
    }
    if own.regions & other.regions == 0 { failing.append(.latency) }
    if !PoolTicket.areNear((own.number, own.tolerance), (other.number, other.tolerance)) {
      failing.append(.number)
    }
    let attributes = own.shape.attributes | other.shape.attributes
    if !MatchSolver.State.areWhole(attributes) { failing.append(.attributes) }
    if MatchSolver.State(own.shape).adding(other.shape) == nil { failing.append(.size) }
    return failing
  }
}
