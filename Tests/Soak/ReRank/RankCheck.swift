import BenchPlayers
import Operations

/// Compares the service's answers about some players with those that follow from everybody's
/// scores.
struct RankCheck {
  private let options: ReRankOptions
  private let standings: [Standing]
  private let order: ScoreOrder
  /// The score that each mover must have after what was submitted, by the mover's number.
  private let moved: [Int: Int64]
  private var counted: CountedRanks

  /// - Parameter standings: of all movers and writers, and of some of the others.
  init(
    _ options: ReRankOptions, _ standings: [Standing], _ order: ScoreOrder, moved: [Int: Int64]
  ) {
    self.options = options
    self.standings = standings
    self.order = order
    self.moved = moved
    counted = CountedRanks(of: standings.map(\.value))
    for number in options.still { counted.add(FilledBoard.value(number)) }
    for number in options.movers { counted.add(moved[number] ?? FilledBoard.value(number)) }
    for standing in standings where options.writers.contains(standing.number) {
      counted.add(standing.value)
    }
  }

  /// Returns everything that is not as it must be.
  func violations() -> [String] {
    let ranks = counted.ranks(order)
    return standings.flatMap { standing in
      var found: [String] = []
      let known = moved[standing.number] ?? FilledBoard.value(standing.number)
      if !options.writers.contains(standing.number) && standing.value != known {
        found.append("player \(standing.number) has \(standing.value), not \(known)")
      }
      if let right = ranks[standing.value], !right.contains(standing.rank) {
        found.append("player \(standing.number) has rank \(standing.rank), not \(right.lowerBound)")
      }
      if standing.total != options.players {
        found.append("there are \(standing.total) players, not \(options.players)")
      }
      return found
    }
  }

  /// How many ranks would be wrong had the service lost what a single player submitted, the one who
  /// moved furthest: a check that cannot see that is worth nothing.
  func canary() -> Int {
    func distance(_ player: (key: Int, value: Int64)) -> UInt64 {
      let filled = FilledBoard.value(player.key)
      return UInt64(bitPattern: max(filled, player.value) &- min(filled, player.value))
    }
    guard let lost = moved.max(by: { distance($0) < distance($1) }) else { return 0 }
    var check = self
    check.counted.remove(lost.value)
    check.counted.add(FilledBoard.value(lost.key))
    return check.violations().count
  }
}
