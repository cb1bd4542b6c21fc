import Domain
import Ranking

/// How the values of a board lie. Some are what games have, the others are made to be hard: for the
/// codes of a leaf (one far from the rest, steps that double) or for the ends of 64 bits.
public enum Spread: CaseIterable, Sendable {
  case few, thousand, whole, ends, doubling, outlier, rising, falling

  func value(_ step: Int, _ random: inout RandomSource) -> Int64 {
    switch self {
    case .few: .random(in: 0..<3, using: &random)
    case .thousand: .random(in: -500..<500, using: &random)
    case .whole: .random(in: .min ... .max, using: &random)
    case .ends:
      [.min, .min + 1, -1, 0, 1, .max - 1, .max].randomElement(using: &random) ?? 0
    case .doubling: 1 << Int64.random(in: 0..<63, using: &random)
    case .outlier: Int.random(in: 0..<50, using: &random) == 0 ? .max : Int64(step % 1000)
    case .rising: Int64(step)
    case .falling: Int64(-step)
    }
  }
}

/// The obvious model: keys in order.
struct SortedKeys {
  private(set) var keys: [RankKey] = []

  func countBelow(_ key: RankKey) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ key: RankKey) -> Bool {
    let place = countBelow(key)
    return place < keys.count && keys[place] == key
  }

  mutating func insert(_ key: RankKey) -> Int {
    let place = countBelow(key)
    keys.insert(key, at: place)
    return place
  }

  mutating func remove(_ key: RankKey) { keys.remove(at: countBelow(key)) }
}
