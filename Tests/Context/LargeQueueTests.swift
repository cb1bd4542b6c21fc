import ContextCore
import Domain
import Operations
import TestKit
import Testing
import Wire

/// Queues with hundreds of tickets beside models that look at all of them.
@Suite struct LargeQueueTests {
  private struct Waiting {
    var player: PlayerID
    var number: Int64
    var attributes: UInt32 = 0
  }

  @Test("3.2 of hundreds, a match of two has the oldest that fits", arguments: 0..<4)
  func pairs(seed: Int) throws {
    var random = RandomSource.seeded(UInt64(seed))
    let world = QueueWorld(seed: UInt64(seed))
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 5)])
    _ = try world.define(QueueDefinition(rules: [skill]))
    let masks: [UInt32] = [0, 0, 0xffff, 0xff, 0x0f0f_0f0f]
    var waiting: [Waiting] = []
    var matchCount = 0
    for number in 0..<600 {
      var new = Waiting(
        player: QueueWorld.player(number), number: .random(in: 0...5_000, using: &random))
      new.attributes = masks.randomElement(using: &random) ?? 0
      if new.attributes != 0 && Bool.random(using: &random) { new.attributes = ~new.attributes }
      try world.find(
        new.player, MatchCriteria(2, 2, attributes: new.attributes, skill: new.number))
      try world.settle()
      let partner = waiting.firstIndex { old in
        let sum = old.attributes | new.attributes
        return abs(old.number - new.number) <= 5 && (sum == 0 || sum == .max)
      }
      let found = world.takeFound().values.first ?? []
      if let partner {
        #expect(found == [waiting[partner].player, new.player], "seed \(seed), \(number)")
        waiting.remove(at: partner)
        matchCount += 1
      } else {
        #expect(found.isEmpty, "seed \(seed), \(number)")
        waiting.append(new)
      }
    }
    #expect(waiting.count > 200 && matchCount > 20)
  }

  @Test("3.2 of players on a line, a match of many has the oldest that fit", arguments: 0..<12)
  func lines(seed: Int) throws {
    var random = RandomSource.seeded(UInt64(seed))
    let world = QueueWorld(seed: UInt64(seed))
    let size = Int.random(in: 3...16, using: &random)
    let skill = MatchRule(.number, "skill", [.init(after: 0, limit: 10)])
    _ = try world.define(QueueDefinition(rules: [skill]))
    var waiting: [Waiting] = []
    var matchCount = 0
    for number in 0..<250 {
      let new = Waiting(
        player: QueueWorld.player(number), number: .random(in: 0...60, using: &random))
      try world.find(
        new.player, MatchCriteria(UInt32(size), UInt32(size), skill: new.number))
      try world.settle()
      let match = Self.match(of: new, size, waiting)
      #expect((world.takeFound().values.first ?? []) == match, "seed \(seed), \(number)")
      waiting.append(new)
      if !match.isEmpty { matchCount += 1 }
      waiting.removeAll { match.contains($0.player) }
    }
    #expect(matchCount > 3, "seed \(seed)")
  }

  /// Takes the oldest, then the next, as long as some part of the line has enough players.
  private static func match(of new: Waiting, _ size: Int, _ waiting: [Waiting]) -> [PlayerID] {
    func isPossible(_ chosen: [Waiting]) -> Bool {
      let numbers = chosen.map(\.number)
      return (-10...70).contains { (start: Int64) in
        numbers.allSatisfy { ($0 - 10...$0).contains(start) }
          && 1 + waiting.count { (start...start + 10).contains($0.number) } >= size
      }
    }
    if !isPossible([new]) { return [] }
    var chosen = [new]
    for old in waiting where chosen.count < size && isPossible(chosen + [old]) {
      chosen.append(old)
    }
    return chosen.dropFirst().map(\.player) + [new.player]
  }
}
