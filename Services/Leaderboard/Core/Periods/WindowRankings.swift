import Domain
import Operations
import Wire

/// The rankings of a board's rolling windows by one rule: see `ScoreWindows`.
final class WindowRankings {
  private(set) var definition: LeaderboardDefinition
  /// The longest one last.
  let windows: [ScoreWindow]
  /// For boards of best scores: in order of arrival, none beaten by a later one.
  var candidates: [PlayerID: [Board.Entry]] = [:]
  /// The rankings have taken the attempts at places before this one.
  var end = 0

  init(of board: Board) {
    definition = board.definition
    windows = [ScoreTimeScope.today, .week].compactMap(\.length).map {
      ScoreWindow(length: $0, key: board.key, row: board.row)
    }
  }

  /// Makes empty rankings by another rule over the same stretches of the queue.
  init(of others: WindowRankings, row: BoardRow) {
    definition = row.definition
    windows = others.windows.map { other in
      let window = ScoreWindow(length: other.length, key: other.board.key, row: row)
      window.beginPlace = other.beginPlace
      return window
    }
  }

  var longest: ScoreWindow { windows[windows.count - 1] }

  func adopt(_ row: BoardRow) {
    definition = row.definition
    for window in windows { window.board.row = row }
  }

  func forget(_ player: PlayerID) {
    candidates[player] = nil
    for window in windows {
      window.sums[player] = nil
      window.board.remove(player)
    }
  }

  /// Forgets at most so many players; true when nobody is left.
  func release(atMost stepMax: Int) -> Bool {
    let board = longest.board
    // From the end, where the ranking has nothing to move up.
    for entry in board.entries(from: max(0, board.total - stepMax), count: stepMax) {
      forget(entry.player)
    }
    return board.total == 0
  }
}

extension ScoreWindows {
  /// Begins rankings by another rule.
  func beginSuccessor(_ row: BoardRow) { successor = WindowRankings(of: rankings, row: row) }

  /// Brings at most so many attempts into the successor; true when it has them all.
  func advanceSuccessor(atMost stepMax: Int) -> Bool {
    guard let successor else { return true }
    var left = stepMax
    guard advanceRebuild(&left) else { return false }
    // The successor skips what both windows have left behind.
    successor.end = max(successor.end, successor.longest.beginPlace)
    let end = min(endPlace, successor.end + left)
    while successor.end < end {
      enter(attempts[successor.end - firstPlace], place: successor.end, successor)
      successor.end += 1
    }
    return successor.end == endPlace
  }

  /// The successor takes the rankings' place; returns the former ones.
  func exchangeWithSuccessor() -> WindowRankings? {
    guard let successor else { return nil }
    precondition(
      successor.end == endPlace, "attempts are missing in the new rankings of the windows")
    defer { rankings = successor }
    self.successor = nil
    return rankings
  }
}
