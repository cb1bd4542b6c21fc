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
  /// The rows of the entries. Nil in a former ranking that has none left to remove.
  var rows: EntryRows?
  /// The board's entries before this key have been looked at.
  fileprivate var reached: RankKey?
  fileprivate(set) var isWhole = false

  init(
    _ definition: LeaderboardDefinition, rows: EntryRows? = nil, recount: Recount? = nil
  ) {
    self.definition = definition
    self.rows = rows
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
  func putIntoSuccessor(_ entry: Entry, _ transaction: inout Transaction) {
    successor?.put(entry)
    successor?.rows?.put(entry, &transaction)
  }

  func removeFromSuccessor(_ player: PlayerID, _ transaction: inout Transaction) {
    successor?.remove(player)
    successor?.rows?.remove(player, &transaction)
  }

  /// Puts an entry into the successor as it is, unless the player has a rebuilt one there.
  func takeOver(_ entry: Entry?, _ transaction: inout Transaction) {
    guard let entry, successor?.entry(of: entry.player) == nil else { return }
    putIntoSuccessor(entry, &transaction)
  }

  /// Goes over the entries of all rankings, at most so many; true when none was left.
  func takeOver(atMost stepMax: Int, _ transaction: inout Transaction) -> Bool {
    var left = stepMax
    for ranking in rankings {
      let entries = ranking.entriesForSuccessor(atMost: left)
      left -= entries.count
      for entry in entries { ranking.takeOver(entry, &transaction) }
    }
    // A step in which entries came has done enough.
    return left == stepMax && rankings.allSatisfy { $0.successor?.isWhole ?? true }
  }

  /// Returns the board's own entries that are to be looked at next, at most so many.
  private func entriesForSuccessor(atMost stepMax: Int) -> [Entry] {
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
  mutating func release(_ step: ReRankStep, _ transaction: inout Transaction) {
    if let last = windows.last {
      if last.release(atMost: step.attemptsMax) { windows.removeLast() }
    } else if let last = indices.last {
      if last.index.giveBack(pieces: step.piecesMax) { indices.removeLast() }
    } else if let ranking = rankings.last {
      if let rows = ranking.rows {
        for entry in ranking.last(step.attemptsMax) {
          ranking.remove(entry.player)
          rows.remove(entry.player, &transaction)
        }
        if ranking.count == 0 { ranking.rows = nil }
      } else if ranking.release(pieces: step.piecesMax) {
        rankings.removeLast()
      }
    }
  }
}
