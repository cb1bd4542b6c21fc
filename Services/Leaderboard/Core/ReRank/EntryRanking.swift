import Domain
import Operations
import Ranking
import Wire

/// A ranking with rebuilt entries beside the board's ranking, which goes on answering: see
/// `Recount`. At the end the two exchange their tables; the former entries are then released from
/// this one.
final class EntryRanking {
  let definition: LeaderboardDefinition
  var table = EntryTable()
  /// Nil in a former ranking.
  let recount: Recount?
  /// In a former ranking: the generation of its entries' rows, until they are removed.
  var rows: UInt32?
  /// The board's entries before this key have been looked at.
  fileprivate var reached: RankKey?
  fileprivate(set) var isWhole = false

  init(_ definition: LeaderboardDefinition, recount: Recount? = nil) {
    self.definition = definition
    self.recount = recount
  }

  convenience init(_ order: ScoreOrder) {
    var definition = LeaderboardDefinition()
    definition.sortOrder = order
    self.init(definition)
  }

  var count: Int { table.count }

  func entry(of player: PlayerID) -> Board.Entry? {
    guard let number = table.number(of: player.bits) else { return nil }
    return Board.Entry(table.entry(number), definition.sortOrder)
  }

  func put(_ entry: Board.Entry) { table.put(EntryTable.Entry(entry, definition.sortOrder)) }

  func remove(_ player: PlayerID) { table.remove(player.bits) }

  /// The last entries in its order, at most so many.
  func last(_ countMax: Int) -> [Board.Entry] {
    table.numbers(from: max(0, count - countMax), count: countMax).map {
      Board.Entry(table.entry($0), definition.sortOrder)
    }
  }

  /// Releases memory, at most so many large pages; true when little is left.
  func release(pieces: Int) -> Bool { table.giveBack(pieces: pieces) }

  // MARK: Start

  func load(_ entry: Board.Entry) { table.load(EntryTable.Entry(entry, definition.sortOrder)) }

  /// Ranks all entries, once their rows are loaded.
  func loaded() { table.rank() }
}

extension Board {
  /// Returns the board's own entries that are to be looked at next, at most so many.
  func entriesForSuccessor(atMost stepMax: Int) -> [Entry] {
    guard let successor, !successor.isWhole, stepMax > 0 else { return [] }
    let found = entries(from: successor.reached.map { countBelow($0) } ?? 0, count: stepMax)
    if let last = found.last {
      var key = rankKey(of: last)
      // Just behind the last one: an arrival is never the greatest number.
      key.tie += 1
      successor.reached = key
    }
    successor.isWhole = found.count < stepMax
    return found
  }
}

/// The rankings that a board had before a re-rank. They are released in steps: a table of ten
/// million entries is hundreds of large pages, and rebuilt entries have rows to remove.
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
