import RankRounds
import Testing

/// Against obvious models, with random changes; `make soak ONLY=index` does the same for longer.
struct RoundTests {
  @Test(
    "4.4 positions, ranges and counts stay exact over random changes", arguments: Spread.allCases)
  func index(spread: Spread) throws {
    var small = IndexRound(seed: 1, spread: spread, size: 300)
    try small.run(operations: 8_000)
    var large = IndexRound(seed: 2, spread: spread, size: 4_000)
    try large.run(operations: 20_000)
  }

  @Test(
    "4.4 every player keeps the own entry and rank, also over a start",
    arguments: PlayerNames.allCases)
  func table(names: PlayerNames) throws {
    for (seed, spread) in [(1, Spread.thousand), (2, .whole)] {
      var round = TableRound(seed: UInt64(seed), spread: spread, names: names)
      try round.run(operations: 3_000)
    }
  }
}
