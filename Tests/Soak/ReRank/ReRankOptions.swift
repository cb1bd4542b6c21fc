/// How large the board is that is ranked anew, and who does what on it meanwhile.
package struct ReRankOptions: Sendable {
  package var players = 10_000_000
  /// Whether attempts are kept: then entries are made anew from them, and become the best ones,
  /// while otherwise the entries that are there change their order.
  package var keepsAttempts = false
  /// Of load before the re-rank begins.
  package var quietSeconds = 20
  package var seed = UInt64.random(in: 1 ... .max)

  package init() {}

  /// On each of the two boards, each with a connection that waits for its answer.
  var connections: Int { 32 }
  var writesPercent: Int { 10 }
  var otherPlayers: Int { max(100, players / 10) }

  /// The last players of each board: the load submits for them what nobody writes down, and at the
  /// end they are asked what they have.
  var writers: Range<Int> { players - min(20_000, players / 10)..<players }
  /// The players before them: what they submit is written down, and moves them about.
  var movers: Range<Int> {
    writers.lowerBound - min(2_000, players / 20)..<writers.lowerBound
  }
  /// All others have what they were filled with; so many of them are asked for their ranks.
  var still: Range<Int> { 0..<movers.lowerBound }
  var stillAsked: Int { min(4_000, still.count) }
}

/// What came of it.
package struct ReRankReport: Sendable {
  /// Wrong ranks, values and totals.
  package var violations: [String] = []
  /// Wrong ranks found for each canary, in which what one player submitted is left out: none may be
  /// 0.
  package var canaries: [Int] = []
  package var asked = 0
  /// Calls of others during the re-rank.
  package var operations = 0.0

  package var isRight: Bool {
    violations.isEmpty && !canaries.isEmpty && canaries.allSatisfy { $0 > 0 }
  }
}
