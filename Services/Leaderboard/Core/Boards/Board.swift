import Operations
import Ranking
import Wire

/// One board: its definition, and its entries by player and by rank.
///
/// The entries are in an `EntryTable`, by player and by rank, in 53 bytes each without a context.
final class Board {
  struct Entry: Equatable {
    var player = PlayerID()
    var value: Int64 = 0
    var context: UInt64 = 0
    var date: Int64 = 0
    var arrival: UInt64 = 0
  }

  let key: RoutingKey
  var row = BoardRow()
  private(set) var table = EntryTable()
  private var lastArrival: UInt64 = 0

  /// What the board has besides this ranking; nil for a plain one.
  var extras: BoardExtras?
  /// While the board is ranked anew: what takes this ranking's place, by the other order alone or with
  /// entries that are made anew.
  private(set) var successorIndex: OrderIndex?
  private(set) var successor: EntryRanking?
  /// Entries that are not in rows of `entry`, until all rows are there.
  private var generations: [UInt32: EntryRanking] = [:]
  /// The number of the occurrence that this ranks, for the rankings of a recurring board.
  let occurrence: Int64?

  init(key: RoutingKey, occurrence: Int64? = nil) {
    self.key = key
    self.occurrence = occurrence
  }

  var definition: LeaderboardDefinition { row.definition }
  /// Which rows the entries are in: see `ReRankRow`.
  var generation: UInt32 { extras?.reRank?.generation ?? 0 }
  private var order: ScoreOrder { row.definition.sortOrder }
  var total: Int { table.count }
  var isUnused: Bool {
    table.count == 0 && extras?.isUnused != false
  }

  func entry(of player: PlayerID) -> Entry? {
    guard let number = table.number(of: player.bits) else { return nil }
    return Entry(table.entry(number), order)
  }

  func rankKey(of entry: Entry) -> RankKey {
    RankKey(value: entry.value, order: order, tie: entry.arrival)
  }

  /// Numbers what happens on the board; never the number of anything that still exists.
  func nextArrival() -> UInt64 {
    lastArrival += 1
    return lastArrival
  }

  /// Numbers up to this one may have been given to rows that are not in memory.
  func skipArrivals(through arrival: UInt64) { lastArrival = max(lastArrival, arrival) }

  /// Adds an entry or replaces the player's, and returns its position from 0.
  func put(_ entry: Entry) -> Int {
    defer { if successorIndex != nil { follow(entry.player) } }
    return table.put(EntryTable.Entry(entry, order))
  }

  func remove(_ player: PlayerID) {
    if successorIndex != nil { followRemoval(of: player) }
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
      successor = EntryRanking(definition, recount: recount)
    } else {
      successorIndex = OrderIndex(definition)
    }
  }

  /// The successor takes the place of this ranking; returns the former one. The board's row is to get the
  /// new rule in the same turn.
  func exchangeWithSuccessor() -> (index: OrderIndex?, ranking: EntryRanking?) {
    let (index, ranking) = removeSuccessor()
    if let index {
      precondition(index.isWhole, "entries of the board are missing in the new order")
      table.exchange(&index.index)
    }
    if let ranking {
      precondition(ranking.isWhole, "entries of the board are missing in the new ranking")
      swap(&table, &ranking.table)
    }
    return (index, ranking)
  }

  /// Removes the successor and returns it.
  func removeSuccessor() -> (index: OrderIndex?, ranking: EntryRanking?) {
    defer { (successorIndex, successor) = (nil, nil) }
    return (successorIndex, successor)
  }

  // MARK: Start

  func load(_ entry: Entry) {
    lastArrival = max(lastArrival, entry.arrival)
    // The definition may not be here yet: `loaded` puts right what order values have.
    table.load(EntryTable.Entry(entry, .lowFirst))
  }

  /// Leaves the entries of the board's generation in its table. Those of older ones are to be released;
  /// one that is being made is made again from its start, over the same rows.
  private func takeGeneration() {
    let current = generation
    if current > 0 {
      let entries = generations.removeValue(forKey: current) ?? EntryRanking(.lowFirst)
      swap(&table, &entries.table)
      generations[0] = entries
      for number in generations.keys.sorted() where number < current {
        guard let old = generations[number], old.count > 0 else { continue }
        old.loaded()
        old.rows = number
        makeExtras().former.rankings.append(old)
      }
    }
    generations = [:]
  }

  func load(_ row: RankedEntryRow) {
    lastArrival = max(lastArrival, row.arrival)
    let generation = row.key.generation
    let others = generations[generation] ?? EntryRanking(.lowFirst)
    generations[generation] = others
    others.load(row.entry(of: row.key.player))
  }

  /// All rows are there: ranks the entries in one go.
  func loaded() {
    takeGeneration()
    table.rank(isReversed: order != .lowFirst)
  }
}
