import Testing

@testable import Ranking

/// Every way in which nodes fill, share, split, merge and vanish, with the whole tree looked at.
struct BoundaryTests {
  enum Order: CaseIterable {
    case rising, falling, outsideIn, insideOut

    /// The numbers below `count` in this order.
    func numbers(_ count: Int) -> [Int] {
      let outsideIn = (0..<count).map { $0 % 2 == 0 ? $0 / 2 : count - 1 - $0 / 2 }
      return switch self {
      case .rising: Array(0..<count)
      case .falling: (0..<count).reversed()
      case .outsideIn: outsideIn
      case .insideOut: outsideIn.reversed()
      }
    }
  }

  private func key(_ number: Int) -> RankKey { RankKey(order: Int64(number), tie: UInt64(number)) }

  @Test("4.4 leaves fill, share and split, and empty, share and merge", arguments: Order.allCases)
  func leaves(filling: Order) {
    let count = Leaf.capacity * 3 + 1
    for emptying in Order.allCases {
      var index = RankIndex()
      // The entry at place n of `filling` has the number n.
      let places = filling.numbers(count)
      for (number, place) in places.enumerated() {
        let position = index.insert(UInt32(number), key(place))
        #expect(position == places[..<number].count { $0 < place })
        expectWhole(index)
      }
      #expect(index.height == 1)
      for (removed, number) in emptying.numbers(count).enumerated() {
        index.remove(UInt32(number))
        #expect(index.count == count - removed - 1)
        expectWhole(index)
      }
      #expect(index.height == 0 && index.leaves.nodesInUse == 1 && index.inners.nodesInUse == 0)
    }
  }

  @Test("4.4 inner nodes fill, split, share and merge", arguments: Order.allCases)
  func inners(filling: Order) {
    // More than one inner node holds, however well the leaves are filled.
    let count = Inner.capacity * Leaf.capacity + 1
    for emptying in Order.allCases {
      var index = RankIndex()
      for (number, place) in filling.numbers(count).enumerated() {
        index.insert(UInt32(number), key(place))
        if number % 997 == 0 { expectWhole(index) }
      }
      expectWhole(index)
      #expect(index.height == 2)
      for (removed, number) in emptying.numbers(count).enumerated() {
        index.remove(UInt32(number))
        if removed % 997 == 0 { expectWhole(index) }
      }
      #expect(index.height == 0 && index.leaves.nodesInUse == 1 && index.inners.nodesInUse == 0)
    }
  }

  @Test("4.4 loading so many that players and ranks are built at once, on two threads")
  func loadingLarge() {
    let count = EntryTable.buildsApartMin
    // Odd, so that every residue comes once: the order of values is known.
    let stride = 48_271
    var table = EntryTable(seed: 5)
    for number in 0..<count {
      let order = Int64(number * stride % count)
      table.load(
        .init(
          player: UInt128(number) << 64, key: RankKey(order: order, tie: UInt64(number)), date: 0,
          scoreTag: 0))
    }
    table.rank()
    #expect(table.fault() == nil)
    #expect(table.count == count)
    for number in Swift.stride(from: 0, to: count, by: 97) {
      let found = table.number(of: UInt128(number) << 64)
      #expect(found.map { table.position(of: $0) } == number * stride % count)
    }
  }

  @Test("4.4 loading in bulk, at every size about what nodes hold")
  func bulk() {
    let leaf = RankIndex.leafFillLoaded
    let inner = leaf * RankIndex.innerFillLoaded
    let around = [leaf, Leaf.capacity, 2 * leaf, KeySort.partMax, inner, 2 * inner]
    let sizes = Array(0...20) + around.flatMap { $0 - 2...$0 + 2 } + [20_000]
    for size in sizes {
      var index = RankIndex()
      // In no order, and with ties.
      let keys = (0..<size).map { RankKey(order: Int64($0 * 7919 % size / 3), tie: UInt64($0)) }
      for (number, key) in keys.enumerated() { index.setKey(UInt32(number), key) }
      index.build()
      expectWhole(index)
      let sorted = keys.indices.sorted { keys[$0] < keys[$1] }.map { UInt32($0) }
      #expect(index.numbers(from: 0, count: size) == sorted)
      index.insert(UInt32(size), RankKey(order: .max, tie: 0))
      if size > 0 { index.remove(0) }
      expectWhole(index)
    }
  }

  @Test("4.4 an update within a leaf, to a neighbour and to the other end")
  func updates() {
    let count = Leaf.capacity * 5
    for from in stride(from: 0, to: count, by: 13) {
      for to in stride(from: -1, to: 2 * count, by: 27) {
        var index = RankIndex()
        for number in 0..<count {
          index.setKey(UInt32(number), RankKey(order: Int64(2 * number), tie: 0))
        }
        index.build()
        let position = index.update(UInt32(from), to: RankKey(order: Int64(to), tie: 1))
        #expect(position == (0..<count).count { $0 != from && 2 * $0 <= to })
        #expect(index.position(of: UInt32(from)) == position)
        expectWhole(index)
      }
    }
  }

  @Test("4.4 an update to the same key changes nothing")
  func updateToSame() {
    var index = RankIndex()
    for number in 0..<3 { index.insert(UInt32(number), key(number)) }
    #expect(index.update(1, to: key(1)) == 1)
    #expect(index.numbers(from: 0, count: 9) == [0, 1, 2])
    expectWhole(index)
  }

  private func expectWhole(_ index: borrowing RankIndex) {
    let fault = index.fault()
    #expect(fault == nil)
  }
}
