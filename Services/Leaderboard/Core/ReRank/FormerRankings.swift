import Domain
import Ranking

/// The rankings that a board had before it was ranked anew. They are released in steps: a table of ten
/// million entries is hundreds of large pages, and entries that were made anew have rows.
struct FormerRankings {
  var rankings: [EntryRanking] = []
  var indices: [OrderIndex] = []
  var windows: [WindowRankings] = []

  var isEmpty: Bool { rankings.isEmpty && indices.isEmpty && windows.isEmpty }

  /// Releases one step's worth.
  mutating func release(
    _ step: ReRankStep, of board: Board, _ transaction: inout Transaction
  ) {
    if let last = windows.last {
      if last.release(atMost: step.attemptsMax) { windows.removeLast() }
    } else if let last = indices.last {
      if last.index.giveBack(pieces: step.piecesMax) { indices.removeLast() }
    } else if let ranking = rankings.last {
      if let rows = ranking.rows {
        for entry in ranking.last(step.attemptsMax) {
          ranking.remove(entry.player)
          board.removeRow(of: entry.player, rows, &transaction)
        }
        if ranking.count == 0 { ranking.rows = nil }
      } else if ranking.release(pieces: step.piecesMax) {
        rankings.removeLast()
      }
    }
  }
}
