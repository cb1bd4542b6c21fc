import Operations

/// A queue's rules by waiting time: between two stages nothing changes, so that a ticket that is
/// not looked at in between misses nothing.
final class QueueStages {
  /// What the rules ask for in one stage.
  struct Stage {
    /// Milliseconds since the ticket came.
    var start: Int64
    /// The least players of a match that a ticket may ask for; nil where no rule lowers it.
    var minPlayersMax: UInt32?
    /// The greatest difference of the number; nil for any.
    var tolerance: UInt64?
    /// For each rule about a word, whether any will do.
    var isAnyWord: [Bool]
    /// The greatest latency; nil for any, also an unknown one.
    var latencyMax: UInt32?
  }

  let definition: QueueDefinition
  let version: UInt32
  /// Whether they stand for a declaration that was taken back.
  let isTakenBack: Bool
  let stages: [Stage]
  /// The name of the number that a rule compares.
  let number: String?
  /// The names of the words that rules compare.
  let words: [String]
  let hasLatency: Bool

  init(_ definition: QueueDefinition, version: UInt32, isTakenBack: Bool = false) {
    self.definition = definition
    self.version = version
    self.isTakenBack = isTakenBack
    let rules = definition.rules
    number = rules.first { $0.kind == .number }?.property
    let wordRules = rules.filter { $0.kind == .word }
    words = wordRules.map(\.property)
    hasLatency = rules.contains { $0.kind == .latency }
    let times = Set(rules.flatMap { $0.steps.map(\.after) }).union([0]).sorted()
    stages = times.map { time in
      func step(_ kind: MatchRuleKind) -> MatchRuleStep? {
        rules.first { $0.kind == kind }?.step(at: time)
      }
      let (size, number, latency) = (step(.size), step(.number), step(.latency))
      return Stage(
        start: Int64(time) * 1000, minPlayersMax: size?.limit,
        tolerance: number.flatMap { $0.isAny ? nil : UInt64($0.limit) },
        isAnyWord: wordRules.map { $0.step(at: time)?.isAny ?? true },
        latencyMax: latency.flatMap { $0.isAny ? nil : $0.limit })
    }
  }

  /// The stage of a ticket that came at `createdAt`.
  func stage(of createdAt: Int64, now: Int64) -> Int {
    var stage = 0
    while stage + 1 < stages.count && now - createdAt >= stages[stage + 1].start { stage += 1 }
    return stage
  }

  /// The regions that a ticket may be matched in, as bits. Where no rule is about latency, there is
  /// one region for all.
  func regions(of latencies: [TicketLatency], at stage: Int) -> UInt8 {
    guard hasLatency else { return 1 }
    let all = UInt8(truncatingIfNeeded: (1 << definition.regions.count) - 1)
    guard let most = stages[stage].latencyMax else { return all }
    var regions: UInt8 = 0
    for (place, region) in definition.regions.enumerated() {
      // A region without a latency is unknown, which is near to nothing.
      if let latency = latencies.first(where: { $0.region == region }),
        latency.milliseconds <= most
      {
        regions |= 1 << UInt8(place)
      }
    }
    return regions
  }
}

extension MatchRule {
  fileprivate func step(at time: UInt32) -> MatchRuleStep? { steps.last { $0.after <= time } }
}
