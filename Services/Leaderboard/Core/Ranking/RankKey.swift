import Operations

/// Where an entry stands on its board: smaller is better.
///
/// `order` is the value, turned around on a board where high values come first, so that one
/// comparison serves both orders. `tie` numbers changes in the board's order of arrival; as the
/// server's dates never go back, it sorts equal values by date and then by arrival.
struct RankKey: Equatable, Comparable {
  var order: Int64
  var tie: UInt64

  init(order: Int64, tie: UInt64) {
    self.order = order
    self.tie = tie
  }

  init(value: Int64, order: ScoreOrder, tie: UInt64) {
    self.order = RankKey.normalised(value, order)
    self.tie = tie
  }

  /// The complement reverses the order of all 64-bit values; negation would overflow for the least.
  static func normalised(_ value: Int64, _ order: ScoreOrder) -> Int64 {
    order == .lowFirst ? value : ~value
  }

  static func < (left: Self, right: Self) -> Bool {
    left.order != right.order ? left.order < right.order : left.tie < right.tie
  }
}
