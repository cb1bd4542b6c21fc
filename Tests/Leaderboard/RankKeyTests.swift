import Operations
import Testing
import Wire

@testable import LeaderboardCore
@testable import Ranking

struct RankKeyTests {
  @Test("4.2 the order of values is reversed without overflow, and back")
  func normalised() {
    let values = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max]
    #expect(values.map { RankKey.normalised($0, .lowFirst) }.sorted() == values)
    let reversed = values.map { RankKey.normalised($0, .highFirst) }
    #expect(reversed.sorted() == reversed.reversed())
    #expect(reversed.map { RankKey.normalised($0, .highFirst) } == values)
  }

  @Test(
    "an entry goes into the table and out of it unchanged",
    arguments: [ScoreOrder.lowFirst, .highFirst])
  func entries(order: ScoreOrder) {
    var entry = Board.Entry()
    entry.player.high = 0xfedc_ba98_7654_3210
    entry.player.low = 0x0123_4567_89ab_cdef
    entry.value = -12
    entry.tag = .max
    entry.date = 1_790_000_000_123
    entry.arrival = 77
    #expect(Board.Entry(EntryTable.Entry(entry, order), order) == entry)
  }
}
