import Operations
import Ranking
import Wire

/// One board: its definition, and its entries by player and by rank.
///
/// The entries are in an `EntryTable`, by player and by rank, in 53 bytes each without a tag.
final class Board {
  struct Entry: Equatable {
    var player = PlayerID()
    var value: Int64 = 0
    /// A number of the game's own.
    var tag: UInt64 = 0
    var date: Int64 = 0
    var arrival: UInt64 = 0
  }

  /// What the entries are stored in.
  var rows: EntryRows
  var row = BoardRow()
  private(set) var table = EntryTable()
  private var lastArrival: UInt64 = 0

  /// What the board has besides this ranking; nil for a plain board.
  var extras: BoardExtras?
  /// During a re-rank, what takes this ranking's place: an index of the same entries by the other
  /// order, or a ranking with rebuilt entries.
  private(set) var successorIndex: OrderIndex?
  private(set) var successor: EntryRanking?
  /// While rows are loaded: entries that a re-rank has rebuilt, by generation.
  private var generations: [UInt32: EntryRanking] = [:]

  /// - Parameter occurrence: the number of the occurrence that this ranks, on a recurring board.
  init(key: RoutingKey, occurrence: Int64? = nil) {
    rows = EntryRows(boardKey: key, occurrence: occurrence)
  }

  var key: RoutingKey { rows.boardKey }
  var occurrence: Int64? { rows.occurrence }
  var generation: UInt32 { rows.generation }
  var definition: LeaderboardDefinition { row.definition }
  private var order: ScoreOrder { row.definition.sortOrder }
  var total: Int { table.count }
  var isUnused: Bool { table.count == 0 && extras?.isUnused != false }

  func entry(of player: PlayerID) -> Entry? {
    guard let number = table.number(of: player.bits) else { return nil }
    return Entry(table.entry(number), order)
  }

  func rankKey(of entry: Entry) -> RankKey {
    RankKey(value: entry.value, order: order, tie: entry.arrival)
  }

  /// Returns the next arrival, which is that of nothing else that still exists.
  func nextArrival() -> UInt64 {
    lastArrival += 1
    return lastArrival
  }

  /// Gives out no arrival up to this one, because rows that are not in memory may have it.
  func skipArrivals(through arrival: UInt64) { lastArrival = max(lastArrival, arrival) }

  /// Adds an entry or replaces the player's, and returns its position from 0.
  func put(_ entry: Entry) -> Int {
    defer { if successorIndex != nil { putIntoSuccessorIndex(entry.player) } }
    return table.put(EntryTable.Entry(entry, order))
  }

  func remove(_ player: PlayerID) {
    if successorIndex != nil { removeFromSuccessorIndex(player) }
    successor?.remove(player)
    table.remove(player.bits)
  }

  /// How many entries stand before a key.
  func countBelow(_ key: RankKey) -> Int { table.countBelow(key) }

  /// The entries at positions `start` and following, counted from 0.
  func entries(from start: Int, count: Int) -> [Entry] {
    table.numbers(from: start, count: count).map { Entry(table.entry($0), order) }
  }

  // MARK: Another rule

  func beginSuccessor(_ definition: LeaderboardDefinition, recount: Recount? = nil) {
    if let recount {
      successor = EntryRanking(
        definition, rows: rows.of(generation: generation + 1), recount: recount)
    } else {
      successorIndex = OrderIndex(definition)
    }
  }

  /// Puts the successor in this ranking's place, with its rows, and returns the former ranking. The
  /// caller gives the board's row the new rule in the same turn.
  func exchangeWithSuccessor() -> (index: OrderIndex?, ranking: EntryRanking?) {
    let (index, ranking) = removeSuccessor()
    if let index {
      precondition(index.isWhole, "entries of the board are missing in the new order")
      table.exchange(&index.index)
    }
    if let ranking {
      precondition(ranking.isWhole, "entries of the board are missing in the new ranking")
      swap(&table, &ranking.table)
      let former = rows
      rows = ranking.rows ?? rows
      ranking.rows = former
    }
    return (index, ranking)
  }

  /// Removes the successor and returns it.
  func removeSuccessor() -> (index: OrderIndex?, ranking: EntryRanking?) {
    defer { (successorIndex, successor) = (nil, nil) }
    return (successorIndex, successor)
  }

  // MARK: Start

  func load(_ entry: Entry, of generation: UInt32 = 0) {
    lastArrival = max(lastArrival, entry.arrival)
    if generation == 0 {
      // The definition may not be loaded yet: `rankLoaded` reverses it if it has to.
      table.load(EntryTable.Entry(entry, .lowFirst))
    } else {
      let others = generations[generation] ?? EntryRanking(.lowFirst)
      generations[generation] = others
      others.load(entry)
    }
  }

  /// Ranks all entries of the board's generation in one go, once their rows are loaded, and returns
  /// older ones, whose rows are to be removed. A newer generation is forgotten: the re-rank that
  /// was making it begins again, over the same rows.
  func rankLoaded() -> [EntryRanking] {
    var former: [EntryRanking] = []
    if generation > 0 {
      let entries = generations.removeValue(forKey: generation) ?? EntryRanking(.lowFirst)
      swap(&table, &entries.table)
      generations[0] = entries
      for number in generations.keys.sorted() where number < generation {
        guard let old = generations[number], old.count > 0 else { continue }
        old.loaded()
        old.rows = rows.of(generation: number)
        former.append(old)
      }
    }
    generations = [:]
    table.rank(isReversed: order != .lowFirst)
    return former
  }
}
