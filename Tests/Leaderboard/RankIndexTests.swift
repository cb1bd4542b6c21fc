import Domain
import Operations
import Testing

@testable import LeaderboardCore

/// The index against a sorted array.
struct RankIndexTests {
  struct Model {
    var keys: [RankKey] = []

    func countBelow(_ key: RankKey) -> Int {
      var (low, high) = (0, keys.count)
      while low < high {
        let middle = (low + high) / 2
        if keys[middle] < key { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  @Test("4.4 positions stay exact over random insertions and removals", arguments: [1, 2])
  func randomChanges(seed: UInt64) {
    var random = RandomSource.seeded(seed)
    var index = RankIndex()
    var model = Model()
    // Few or many different values; the share of insertions swings, so that the tree grows and
    // shrinks over several levels.
    let values: Int64 = seed % 2 == 0 ? 40 : 1_000_000
    var tie: UInt64 = 0
    for step in 0..<24_000 {
      let isGrowing = step / 6_000 % 2 == 0
      if Int.random(in: 0..<10, using: &random) < (isGrowing ? 8 : 2) || model.keys.isEmpty {
        tie += 1
        let key = RankKey(order: .random(in: -values...values, using: &random), tie: tie)
        let position = model.countBelow(key)
        model.keys.insert(key, at: position)
        let found = index.insert(key, UInt32(tie))
        #expect(found == position)
      } else {
        let place = Int.random(in: 0..<model.keys.count, using: &random)
        let wasThere = index.remove(model.keys.remove(at: place))
        #expect(wasThere)
      }
      if step % 16 == 0 { check(index, model, &random) }
      if step % 4_000 == 0 { checkWhole(index, model) }
    }
    checkWhole(index, model)
    for key in model.keys.shuffled(using: &random) { index.remove(key) }
    #expect(index.count == 0)
    #expect(index.height == 0)
    #expect(index.entries(from: 0, count: 5) == [])
  }

  @Test(
    "4.4 loading in bulk gives the same index",
    arguments: [0, 1, 55, 56, 57, 64, 113, 3200, 20_000])
  func bulk(count: Int) {
    var random = RandomSource.seeded(UInt64(count))
    var model = Model()
    for number in 0..<count {
      model.keys.append(RankKey(order: Int64(number / 3), tie: UInt64(number)))
    }
    var index = RankIndex(sorted: model.keys.map { ($0, UInt32($0.tie)) })
    checkWhole(index, model)
    for step in 0..<500 {
      let key = RankKey(
        order: .random(in: -5...Int64(count), using: &random), tie: UInt64(1_000_000 + step))
      let position = model.countBelow(key)
      model.keys.insert(key, at: position)
      let found = index.insert(key, UInt32(key.tie))
      #expect(found == position)
      let place = Int.random(in: 0..<model.keys.count, using: &random)
      let wasThere = index.remove(model.keys.remove(at: place))
      #expect(wasThere)
    }
    checkWhole(index, model)
  }

  @Test("4.4 a large index stays whole while it is emptied in any order")
  func emptied() {
    var random = RandomSource.seeded(77)
    let keys = (0..<20_000).map { RankKey(order: Int64($0), tie: UInt64($0)) }
    var index = RankIndex(sorted: keys.map { ($0, UInt32($0.tie)) })
    for (removed, key) in keys.shuffled(using: &random).enumerated() {
      index.remove(key)
      if removed % 500 == 0 { #expect(index.fault() == nil) }
    }
    #expect(index.count == 0 && index.height == 0)
  }

  @Test("4.4 removing an unknown key changes nothing")
  func unknownKey() {
    var index = RankIndex()
    index.insert(RankKey(order: 5, tie: 1), 1)
    let wasThere = [
      index.remove(RankKey(order: 5, tie: 2)), index.remove(RankKey(order: 4, tie: 1)),
    ]
    #expect(wasThere == [false, false])
    #expect(index.count == 1)
  }

  @Test("4.2 the order of values is reversed without overflow")
  func normalised() {
    let values = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max]
    #expect(values.map { RankKey.normalised($0, .lowFirst) }.sorted() == values)
    let reversed = values.map { RankKey.normalised($0, .highFirst) }
    #expect(reversed.sorted() == reversed.reversed())
  }

  private func check(_ index: RankIndex, _ model: Model, _ random: inout RandomSource) {
    #expect(index.count == model.keys.count)
    guard !model.keys.isEmpty else { return }
    let position = Int.random(in: 0..<model.keys.count, using: &random)
    #expect(index.countBelow(model.keys[position]) == position)
    let probe = RankKey(order: .random(in: -50...50, using: &random), tie: 0)
    #expect(index.countBelow(probe) == model.countBelow(probe))
    let length = Int.random(in: 1...100, using: &random)
    let expected = model.keys[position...].prefix(length).map { UInt32($0.tie) }
    #expect(index.entries(from: position, count: length) == Array(expected))
  }

  private func checkWhole(_ index: RankIndex, _ model: Model) {
    #expect(index.entries(from: 0, count: model.keys.count) == model.keys.map { UInt32($0.tie) })
    #expect(index.fault() == nil)
  }
}

extension RankIndex {
  /// The first broken invariant of the tree, in words.
  func fault() -> String? {
    let least = RankKey(order: .min, tie: 0)
    let result = fault(root, level: height, isRoot: true, low: least, high: nil)
    if let fault = result.fault { return fault }
    return result.weight == count ? nil : "the weights do not add up to the count"
  }

  private func fault(_ node: UInt32, level: Int, isRoot: Bool, low: RankKey, high: RankKey?)
    -> (weight: Int, fault: String?)
  {
    let nodes = level == 0 ? leaves : inners
    let fillMin = isRoot ? (level == 0 ? 0 : 2) : RankNodes.fillMin
    if nodes.count(node) < fillMin { return (0, "a node of level \(level) has too few cells") }
    var weight = 0
    for slot in 0..<nodes.count(node) {
      let isFirstBound = level > 0 && slot == 0
      let bound = isFirstBound ? low : nodes.key(node, slot)
      if bound < low { return (0, "a key of level \(level) is below its bound") }
      if let high, !(bound < high) { return (0, "a key of level \(level) is not below the next") }
      if level == 0 {
        weight += 1
        continue
      }
      let next = slot + 1 < nodes.count(node) ? nodes.key(node, slot + 1) : high
      let child = fault(
        nodes.link(node, slot), level: level - 1, isRoot: false, low: bound, high: next)
      if child.fault != nil { return child }
      if child.weight != nodes.weight(node, slot) { return (0, "a weight is wrong") }
      weight += child.weight
    }
    return (weight, nil)
  }
}
