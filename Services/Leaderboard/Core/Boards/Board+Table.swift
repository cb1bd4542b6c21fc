import Operations
import Ranking
import Wire

/// Converts between a board's entries and its table's, which have neither players nor values.
extension EntryTable.Entry {
  init(_ entry: Board.Entry, _ order: ScoreOrder) {
    self.init(
      player: entry.player.bits, key: RankKey(value: entry.value, order: order, tie: entry.arrival),
      date: entry.date, scoreTag: entry.tag)
  }
}

extension Board.Entry {
  init(_ entry: EntryTable.Entry, _ order: ScoreOrder) {
    player = PlayerID(
      high: UInt64(truncatingIfNeeded: entry.player >> 64),
      low: UInt64(truncatingIfNeeded: entry.player))
    value = RankKey.normalised(entry.key.order, order)
    tag = entry.scoreTag
    date = entry.date
    arrival = entry.key.tie
  }
}

extension RankKey {
  /// `tie` is the arrival: the server's dates never go back, so it sorts equal values by date.
  init(value: Int64, order: ScoreOrder, tie: UInt64) {
    self.init(order: RankKey.normalised(value, order), tie: tie)
  }

  /// The complement reverses the order of all values, and back; negation overflows for the least.
  static func normalised(_ value: Int64, _ order: ScoreOrder) -> Int64 {
    order == .lowFirst ? value : ~value
  }
}

extension PlayerID {
  var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }
}
