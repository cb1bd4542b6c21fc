import Domain
import Ranking
import Wire

/// What a board was ranked by is let go of in steps: a table of ten million entries is hundreds of large
/// pages, and those that were made anew have rows.
extension BoardKeeping {
  var isRetiring: Bool {
    !retired.isEmpty || !retiredOrders.isEmpty || !retiredWindows.isEmpty
  }

  /// Lets go of some of what the board was ranked by.
  func giveBack(
    _ board: Board, _ step: ReRankStep, _ transaction: inout Transaction
  ) {
    if let windows = retiredWindows.last {
      if windows.giveBack(atMost: step.attemptsMax) { retiredWindows.removeLast() }
    } else if let order = retiredOrders.last {
      if order.index.giveBack(pieces: step.piecesMax) { retiredOrders.removeLast() }
    } else if let ranking = retired.last {
      if let rows = ranking.rows {
        for entry in ranking.last(step.attemptsMax) {
          ranking.remove(entry.player)
          board.removeRow(of: entry.player, rows, &transaction)
        }
        if ranking.count == 0 { ranking.rows = nil }
      } else if ranking.giveBack(pieces: step.piecesMax) {
        retired.removeLast()
      }
    }
  }
}
