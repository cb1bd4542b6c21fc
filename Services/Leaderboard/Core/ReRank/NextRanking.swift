import Operations
import Ranking
import Wire

/// A ranking of entries that are made anew from the kept attempts by another rule, beside the board's
/// own, which goes on and answers: see `Recount`. At the end the two tables change places, and this is
/// what the board was ranked by, to be let go of in steps.
final class NextRanking {
  let definition: LeaderboardDefinition
  var table = EntryTable()
  /// Nil of a ranking that is let go of.
  let recount: Recount?
  /// Of a ranking that is let go of: the generation of the rows that go with it.
  var rows: UInt32?
  /// Entries of the board that stand before this key were looked at.
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

  func put(_ entry: Board.Entry) {
    table.put(EntryTable.Entry(entry, definition.sortOrder))
  }

  func remove(_ player: PlayerID) { table.remove(player.bits) }

  /// The last entries in its order, at most so many.
  func last(_ countMax: Int) -> [Board.Entry] {
    table.numbers(from: max(0, count - countMax), count: countMax).map {
      Board.Entry(table.entry($0), definition.sortOrder)
    }
  }

  /// Gives memory back, at most so many large pages; true when what is left is little.
  func giveBack(pieces: Int) -> Bool { table.giveBack(pieces: pieces) }

  // MARK: Start

  func load(_ entry: Board.Entry) {
    table.load(EntryTable.Entry(entry, definition.sortOrder))
  }

  /// All rows are there.
  func loaded() { table.rank() }
}

extension Board {
  /// The next of the board's own entries, at most so many, that are to be looked at.
  func nextEntries(atMost stepMax: Int) -> [Entry] {
    guard let next, !next.isWhole, stepMax > 0 else { return [] }
    let found = entries(from: next.reached.map { countBelow($0) } ?? 0, count: stepMax)
    if let last = found.last {
      var key = rankKey(of: last)
      // Just behind the last one: an arrival is never the greatest number.
      key.tie += 1
      next.reached = key
    }
    next.isWhole = found.count < stepMax
    return found
  }
}
