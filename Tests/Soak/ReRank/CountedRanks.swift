import Operations

/// Finds the ranks of some values among many by counting each of the many. It is an obvious model
/// beside the service's index, and needs memory only for the values that are asked for.
struct CountedRanks {
  /// The values that are asked for, ascending, each once.
  private let values: [Int64]
  /// How many are equal to each value, and how many lie between it and the one before; the last
  /// number is of those behind all.
  private var equal: [Int]
  private var between: [Int]

  init(of asked: [Int64]) {
    values = Set(asked).sorted()
    equal = Array(repeating: 0, count: values.count)
    between = Array(repeating: 0, count: values.count + 1)
  }

  mutating func add(_ value: Int64) { count(value, 1) }
  mutating func remove(_ value: Int64) { count(value, -1) }

  private mutating func count(_ value: Int64, _ change: Int) {
    let place = place(of: value)
    if place < values.count, values[place] == value {
      equal[place] += change
    } else {
      between[place] += change
    }
  }

  /// Returns the place of the first value that is not less.
  private func place(of value: Int64) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if values[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the ranks that entries with each value may have: several if several entries have the
  /// value, because only their dates would tell which has which.
  func ranks(_ order: ScoreOrder) -> [Int64: ClosedRange<Int>] {
    let total = equal.reduce(0, +) + between.reduce(0, +)
    var less = 0
    var ranks: [Int64: ClosedRange<Int>] = [:]
    for (place, value) in values.enumerated() {
      less += between[place]
      let better = order == .lowFirst ? less : total - less - equal[place]
      ranks[value] = better + 1...better + max(1, equal[place])
      less += equal[place]
    }
    return ranks
  }
}
