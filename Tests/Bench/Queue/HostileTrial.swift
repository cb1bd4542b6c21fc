import BenchMachine
import ContextCore
import Domain
import Operations
import Wire

/// What a search costs at most: in a queue with regions, words and sizes, beside tickets with masks
/// of attributes that look as if they could make up all ones, and do not.
struct HostileTrial {
  let waiting: Int
  let searches: Int

  private static let regions = (0..<8).map { "region-\($0)" }
  /// Attributes of each mask, and players of a match: just enough to make all ones only if no two
  /// masks had one in common.
  private static let attributeCount = 7
  private static let playersMax: UInt32 = 5

  /// Returns the nanoseconds of a ticket that comes in vain, and the most of one.
  func run() -> (nanoseconds: Double, most: Double) {
    var near = MatchRule()
    near.kind = .latency
    near.steps = [MatchRuleStep(after: 0, isAny: true)]
    var words: [MatchRule] = []
    for name in ["map", "mode"] {
      var rule = MatchRule()
      rule.kind = .word
      rule.property = name
      rule.steps = [MatchRuleStep(after: 0, isAny: true)]
      words.append(rule)
    }
    let trial = QueueTrial(
      waiting: waiting, operations: searches, regions: Self.regions, rules: [near] + words)
    var random = SplitMix()
    for number in 0..<waiting { _ = trial.find(number, operation(&random)) }
    var (sum, most) = (0.0, 0.0)
    for number in waiting..<waiting + searches {
      let operation = operation(&random)
      let nanoseconds = nanoseconds(each: 1) { _ in _ = trial.find(number, operation) }
      sum += nanoseconds
      most = max(most, nanoseconds)
    }
    return (sum / Double(searches), most)
  }

  private func operation(_ random: inout SplitMix) -> FindMatch {
    var operation = FindMatch()
    operation.playerGroup = "ranked"
    operation.criteria.minPlayers = 2 + UInt32(random.next() % 4)
    operation.criteria.maxPlayers = Self.playersMax
    while operation.criteria.playerAttributes.nonzeroBitCount < Self.attributeCount {
      operation.criteria.playerAttributes |= 1 << UInt32(random.next() % 32)
    }
    operation.criteria.words = [TicketWord("map", "a"), TicketWord("mode", "b")]
    return operation
  }
}
