/// The random rounds that the tests and `muster-soak` run: every spread of values and every way to
/// name players, from one seed.
public enum RankRounds {
  public struct Counts: Sendable {
    public var rounds = 0
    public var operations = 0
  }

  /// Rounds of about so many operations each; throws `Mismatch` at the first wrong answer.
  public static func run(seed: UInt64, operations: Int, tell: (String) -> Void) throws -> Counts {
    var counts = Counts()
    for (place, spread) in Spread.allCases.enumerated() {
      for size in [200, 5_000, 50_000] {
        var round = IndexRound(seed: seed &+ UInt64(place), spread: spread, size: size)
        try round.run(operations: operations)
        counts.rounds += 1
        counts.operations += operations
      }
      tell("  values \(spread): \(counts.operations) operations so far")
    }
    for (place, names) in PlayerNames.allCases.enumerated() {
      for spread in Spread.allCases {
        var round = TableRound(seed: seed &+ UInt64(place), spread: spread, names: names)
        try round.run(operations: operations / 10)
        counts.rounds += 1
        counts.operations += operations / 10
      }
      tell("  players \(names): \(counts.operations) operations so far")
    }
    return counts
  }
}
