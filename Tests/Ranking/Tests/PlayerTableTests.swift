import Domain
import Testing

@testable import Ranking

/// The hash table, at its edges.
struct PlayerTableTests {
  @Test("players are found, and strangers are not, at every step of the growth")
  func growth() {
    var table = PlayerTable(seed: 5)
    for player in 0..<700 {
      #expect(table.number(of: UInt128(player)) == nil)
      let number = table.add(UInt128(player))
      #expect(number == UInt32(player))
      for known in 0...player { #expect(table.number(of: UInt128(known)) == UInt32(known)) }
      #expect(table.number(of: UInt128(player) + 1) == nil)
    }
    let fault = table.fault()
    #expect(fault == nil)
  }

  @Test("the numbers of removed players are given out again, the last first")
  func numbersAgain() {
    var table = PlayerTable(seed: 6)
    for player in 1...100 { _ = table.add(UInt128(player)) }
    for player in [7, 70, 31] { table.remove(UInt128(player)) }
    #expect(table.count == 97 && table.number(of: 70) == nil)
    let numbers = (201...204).map { table.add(UInt128($0)) }
    #expect(numbers == [30, 69, 6, 100])
    let fault = table.fault()
    #expect(fault == nil)
  }

  @Test("players are removed and come back while the table grows")
  func removalDuringGrowth() {
    var random = RandomSource.seeded(8)
    var table = PlayerTable(seed: 7)
    var players: [UInt128: UInt32] = [:]
    for step in 0..<6_000 {
      let player = UInt128.random(in: 0..<4_000, using: &random)
      if players.removeValue(forKey: player) != nil {
        table.remove(player)
        #expect(table.number(of: player) == nil)
      } else {
        players[player] = table.add(player)
      }
      #expect(table.count == players.count)
      guard step % 500 == 0 else { continue }
      for (player, number) in players { #expect(table.number(of: player) == number) }
      let fault = table.fault()
      #expect(fault == nil)
    }
  }

  @Test("players whose hashes all begin alike overflow many buckets, and nothing is lost")
  func collisions() {
    let seed: UInt64 = 9
    var table = PlayerTable(seed: seed)
    // Homes are taken from the first bits: all of these have one of the last few.
    let players = (0..<400_000).map { UInt128($0) }.filter { table.hash($0) >> 54 == 0x3ff }
    #expect(players.count > 300)
    for (place, player) in players.enumerated() {
      _ = table.add(player)
      if place % 8 == 0 {
        for known in players[...place] { #expect(table.number(of: known) != nil) }
      }
    }
    var fault = table.fault()
    #expect(fault == nil)
    for player in players.enumerated().filter({ $0.offset % 3 != 0 }).map(\.element) {
      table.remove(player)
    }
    for (place, player) in players.enumerated() {
      #expect((table.number(of: player) != nil) == (place % 3 == 0))
    }
    fault = table.fault()
    #expect(fault == nil)
  }

  @Test("a table of any size gives its memory back in steps of so many pages")
  func givesBack() {
    var table = EntryTable(seed: 9)
    for number in 0..<400_000 {
      let key = RankKey(order: Int64(number), tie: 1)
      table.put(.init(player: UInt128(number), key: key, date: 0, scoreTag: UInt64(number) + 1))
    }
    var (steps, bytes) = (0, table.bytes)
    while !table.giveBack(pieces: 2) {
      // The first piece of a column may be smaller than a page, and so may what is left of score
      // tags.
      #expect(bytes - table.bytes <= 2 * Pages.pieceBytes)
      (steps, bytes) = (steps + 1, table.bytes)
    }
    #expect(steps >= 5 && table.bytes < 2 * Pages.pieceBytes)
  }
}
