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
