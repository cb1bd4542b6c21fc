import Operations
import Wire

/// One rolling window: see `ScoreWindows`.
final class ScoreWindow {
  /// A player's sum over the window. Wider than a value, because the part of a sequence that is in
  /// the window may add up to more than all of it; what is shown stays within a value's bounds.
  struct Sum {
    var total: Int128 = 0
    var count = 0
    var latest = Board.Entry()
    /// The latest attempt that changed the sum.
    var latestChange: Board.Entry?

    /// The entry of the sum, with the tag and date of the latest attempt that changed it, if any
    /// did.
    var entry: Board.Entry {
      var entry = latestChange ?? latest
      entry.value = Int64(clamping: total)
      return entry
    }
  }

  /// Milliseconds: an attempt so old is outside.
  let length: Int64
  let board: Board
  /// The place in the queue of the first attempt inside.
  var beginPlace = 0
  var sums: [PlayerID: Sum] = [:]

  init(length: Int64, key: RoutingKey, row: BoardRow) {
    self.length = length
    board = Board(key: key)
    board.row = row
  }

  func add(_ attempt: Board.Entry) {
    var sum = sums[attempt.player] ?? Sum()
    sum.total += Int128(attempt.value)
    sum.count += 1
    sum.latest = attempt
    if attempt.value != 0 { sum.latestChange = attempt }
    sums[attempt.player] = sum
    show(sum)
  }

  func subtract(_ attempt: Board.Entry) {
    guard var sum = sums[attempt.player] else { return }
    sum.total -= Int128(attempt.value)
    sum.count -= 1
    if sum.latestChange?.arrival == attempt.arrival { sum.latestChange = nil }
    sums[attempt.player] = sum.count == 0 ? nil : sum
    if sum.count == 0 { board.remove(attempt.player) } else { show(sum) }
  }

  private func show(_ sum: Sum) {
    let entry = sum.entry
    if board.entry(of: entry.player) != entry { _ = board.put(entry) }
  }
}
