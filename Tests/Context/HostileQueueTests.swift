import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Queues full of tickets that were made to be in others' way.
@Suite struct HostileQueueTests {
  let world = QueueWorld()

  private func player(_ number: Int) -> PlayerID { QueueWorld.player(number) }

  @Test("3.2 tickets of every size that never fill hide nobody")
  func sizes() throws {
    // Fifteen groups, each one player short of its size.
    var number = 100
    for size in UInt32(3)...16 {
      for _ in 0..<(size - 1) {
        try world.find(player(number), MatchCriteria(size, size))
        number += 1
      }
    }
    try world.find(player(1), MatchCriteria(2, 16, attributes: 1))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(2), MatchCriteria(2, 2))
    try world.find(player(3), MatchCriteria(2, 2))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(2), player(3)]])
  }

  @Test("3.2 hundreds of kinds of tickets hide none of an ordinary kind")
  func kinds() throws {
    for number in 0..<300 {
      // Masks that no other completes.
      try world.find(
        player(1000 + number), MatchCriteria(2, 2, attributes: 1 << 31 | UInt32(number)))
    }
    try world.settle()
    #expect(world.found.isEmpty)
    let (low, high): (UInt32, UInt32) = (0x0000_ffff, 0xffff_0000)
    for (one, other) in [(low, high), (0, 0)] {
      try world.find(player(1), MatchCriteria(2, 2, attributes: one))
      try world.find(player(2), MatchCriteria(2, 2, attributes: other))
      try world.settle()
      #expect(world.takeFound().values.map { $0 } == [[player(1), player(2)]])
    }
  }

  @Test(
    "3.2 128 tickets whose masks never make up all ones hide nobody of another kind",
    arguments: [
      (UInt32(0), UInt32(0)), (0x0000_ffff, 0xffff_0000), (0x00ff_ffff, 0xff00_0000),
    ])
  func masks(one: UInt32, other: UInt32) throws {
    for number in 0..<128 {
      let mask = one == 0 && other == 0 ? 1 << UInt32(number % 32) : 1 << 31 | UInt32(number)
      try world.find(player(1000 + number), MatchCriteria(2, 16, attributes: mask))
    }
    try world.settle()
    #expect(world.takeFound().isEmpty)
    try world.find(player(1), MatchCriteria(2, 16, attributes: one))
    try world.settle()
    #expect(world.takeFound().isEmpty)
    try world.find(player(2), MatchCriteria(2, 16, attributes: other))
    try world.settle()
    let match = world.takeFound().values.first ?? []
    #expect(match.contains(player(1)) && match.contains(player(2)))
  }

  @Test("3.2 a queue of roles finds its match beside hundreds of one role in every size")
  func roles() throws {
    let roles: [UInt32] = [0x0000_07ff, 0x003f_f800, 0xffc0_0000]
    for number in 0..<231 {
      let most = UInt32(3 + number % 14)
      try world.find(player(10 + number), MatchCriteria(3, most, attributes: roles[0]))
    }
    try world.find(player(1), MatchCriteria(3, 3, attributes: roles[1]))
    try world.settle()
    #expect(world.found.isEmpty)
    try world.find(player(2), MatchCriteria(3, 3, attributes: roles[2]))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(10), player(1), player(2)]])
  }

  @Test("3.2 a match of many is found where those who fit the finder do not all fit each other")
  func sides() throws {
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 10)])
    _ = try world.define(QueueDefinition(rules: [skill]))
    var left: [PlayerID] = []
    for number in 0..<26 {
      let isLeft = number >= 23 || number % 2 == 0
      if isLeft { left.append(player(number)) }
      try world.find(player(number), MatchCriteria(16, 16, skill: isLeft ? -10 : 10))
    }
    try world.settle()
    #expect(world.found.isEmpty && left.count == 15)
    try world.find(player(50), MatchCriteria(16, 16, skill: 0))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [left + [player(50)]])
  }

  @Test("3.2 a search ends with bounded work beside kinds of every size, and finds ordinary ones")
  func work() throws {
    var number = 100
    for size in UInt32(2)...16 {
      for bit in UInt32(0)..<24 {
        try world.find(
          player(number), MatchCriteria(size, 16, attributes: 1 << bit | 1 << ((bit * 7) % 24)))
        number += 1
      }
    }
    try world.settle()
    #expect(world.takeFound().isEmpty)
    for (one, other) in [(UInt32(0), UInt32(0)), (0x00ff_ffff, 0xff00_0000)] {
      try world.find(player(1), MatchCriteria(2, 2, attributes: one))
      try world.find(player(2), MatchCriteria(2, 2, attributes: other))
      try world.settle()
      #expect(world.takeFound().values.map { $0 } == [[player(1), player(2)]])
    }
  }

  @Test("3.2 2.9 six hundred who block a player hide nobody who does not")
  func manyBlockers() throws {
    for number in 0..<600 {
      world.blocks[player(100 + number)] = [player(1)]
      try world.find(player(100 + number), MatchCriteria(2, 2, attributes: 0xffff))
    }
    try world.find(player(1), MatchCriteria(2, 2, attributes: 0xffff_0000))
    try world.settle()
    #expect(world.takeFound().isEmpty && world.refusalCount == 600)
    try world.find(player(2), MatchCriteria(2, 2, attributes: 0xffff))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(1), player(2)]])
  }

  @Test("3.2 2.9 a crowd that blocks a player is asked once each, and hides nobody after that")
  func crowd() throws {
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 10)])
    _ = try world.define(QueueDefinition(rules: [skill]))
    for number in 0..<40 {
      world.blocks[player(100 + number)] = Set((0..<40).map { player(100 + $0) } + [player(1)])
      try world.find(player(100 + number), MatchCriteria(2, 2, skill: 0))
      try world.settle()
    }
    #expect(world.found.isEmpty)
    try world.find(player(1), MatchCriteria(2, 2, skill: 0))
    try world.settle()
    #expect(world.found.isEmpty)
    let asked = world.refusalCount
    #expect(asked <= 40 * 2 + 40)
    try world.find(player(2), MatchCriteria(2, 2, skill: 10))
    try world.settle()
    let match = world.takeFound().values.first ?? []
    #expect(match.contains(player(2)) && match.first == player(100))
    try world.find(player(3), MatchCriteria(2, 2, skill: -10))
    try world.settle()
    #expect(world.takeFound().count == 1)
  }

  @Test("3.2 numbers in any order, and at the ends of what there is, are searched alike")
  func numbers() throws {
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 3)])
    _ = try world.define(QueueDefinition(rules: [skill]))
    for number in 0..<500 {
      try world.find(player(10 + number), MatchCriteria(2, 2, skill: Int64(number) * 10))
    }
    for value in [Int64.min, .max] {
      try world.find(player(1), MatchCriteria(2, 2, skill: value))
      try world.find(player(2), MatchCriteria(2, 2, skill: value))
      try world.settle()
      #expect(world.takeFound().values.map { $0 } == [[player(1), player(2)]])
    }
    try world.find(player(3), MatchCriteria(2, 2, skill: 2_003))
    try world.settle()
    #expect(world.takeFound().values.map { $0 } == [[player(210), player(3)]])
  }
}
