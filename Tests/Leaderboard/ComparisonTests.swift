import Operations
import Testing
import TestKit
import Wire

/// How a score compares: percentile, the rank of a value, lesser mortals.
struct ComparisonTests {
  typealias P = Players

  @Test("4.4 percentile: how many in a hundred of the others are strictly worse")
  func percentile() throws {
    let world = World()
    try world.define()
    #expect(try world.rank(of: P.ada).percentile == 0)
    try world.submit(5, as: P.ada)
    #expect(try world.rank(of: P.ada).percentile == 100)
    try world.submit(5, as: P.bob)
    try world.submit(9, as: P.cleo)
    try world.submit(1, as: P.dan)
    try world.submit(2, as: .sample(1))
    #expect(try world.rank(of: P.ada).percentile == 50)
    #expect(try world.rank(of: P.bob).percentile == 50)
    #expect(try world.rank(of: P.cleo).percentile == 100)
    #expect(try world.rank(of: P.dan).percentile == 0)
  }

  @Test("4.4 the rank of a value counts better, same and worse", arguments: [true, false])
  func value(isLowFirst: Bool) throws {
    let world = World()
    try world.define { $0.sortOrder = isLowFirst ? .lowFirst : .highFirst }
    for (number, value) in [Int64.min, -3, 0, 0, 7, .max].enumerated() {
      try world.submit(value, as: .sample(UInt64(number)))
    }
    let wanted: [(Int64, [UInt32])] = [
      (.min, [5, 1, 0]), (-4, [5, 0, 1]), (-3, [4, 1, 1]), (0, [2, 2, 2]), (6, [2, 0, 4]),
      (.max, [0, 1, 5]),
    ]
    for (value, counts) in wanted {
      #expect(try world.rank(of: value) == (isLowFirst ? counts.reversed() : counts), "\(value)")
    }
    expectRefusal(.requiredArgument, "value") { _ = try world.rank(of: nil) }
    expectRefusal(.notFound, "board") { _ = try world.rank(of: 1, on: "none") }
    expectRefusal(.requiredArgument, "board") { _ = try world.rank(of: 1, on: "") }
  }

  @Test("4.5 lesser mortals: friends with a strictly worse value, in pages", arguments: [1, -1])
  func lesser(sign: Int64) throws {
    let world = World()
    try world.define { $0.sortOrder = sign < 0 ? .lowFirst : .highFirst }
    let friends = (1...250).map { PlayerID.sample($0) }
    for (number, friend) in friends.enumerated() {
      try world.submit(sign * Int64(number / 2), as: friend)
    }
    try world.submit(sign * -1, as: .sample(999))
    #expect(try world.lesser(as: P.ada, friends: friends) == ScorePage())
    try world.submit(sign * 100, as: P.ada)
    let first = try world.lesser(as: P.ada, friends: friends)
    // 200 friends have less than 100; two have just that; the stranger is no friend.
    #expect(first.total == 200 && first.entries.count == 100)
    #expect(first.entries.first?.value == sign * 99 && first.entries.first?.rank == 52)
    #expect(first.localEntry?.player == P.ada && first.localEntry?.rank == 51)
    let second = try world.lesser(101, 100, as: P.ada, friends: friends)
    #expect(second.entries.count == 100 && second.entries.last?.value == 0)
    #expect(try world.lesser(201, 100, as: P.ada, friends: friends).entries.isEmpty)
    expectRefusal(.invalidArgument, "start") { _ = try world.lesser(0, 1, as: P.ada, friends: []) }
    for count: UInt32 in [0, 101] {
      expectRefusal(.invalidArgument, "count") {
        _ = try world.lesser(1, count, as: P.ada, friends: [])
      }
    }
    expectRefusal(.notFound, "board") {
      _ = try world.lesser(as: P.ada, friends: [], of: "none")
    }
  }
}
