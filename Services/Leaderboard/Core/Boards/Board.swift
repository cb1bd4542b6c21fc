import Operations
import Ranking
import Wire

/// One board: its definition, its entries by player and by rank, and its open challenges.
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
  /// In order of arrival.
  private(set) var openChallenges: [PlayerID: [OpenChallengeRow]] = [:]
  /// The same ones by their issuer.
  private(set) var issuedChallenges: [PlayerID: [IssuedChallenge]] = [:]

  /// What the board has besides this ranking; nil for a plain one.
  var keeping: BoardKeeping?
  /// While the board is ranked anew: what takes this ranking's place, by the other order alone or with
  /// entries that are made anew.
  private(set) var nextOrder: NextOrder?
  private(set) var next: NextRanking?
  /// Entries that are not in rows of `entry`, until all rows are there.
  private var generations: [UInt32: NextRanking] = [:]
  /// The number of the occurrence that this ranks, for the rankings of a recurring board.
  let occurrence: Int64?

  init(key: RoutingKey, occurrence: Int64? = nil) {
    self.key = key
    self.occurrence = occurrence
  }

  var definition: LeaderboardDefinition { row.definition }
  /// Which rows the entries are in: see `ReRankRow`.
  var generation: UInt32 { keeping?.reRank?.generation ?? 0 }
  private var order: ScoreOrder { row.definition.sortOrder }
  var total: Int { table.count }
  var isUnused: Bool {
    table.count == 0 && openChallenges.isEmpty && keeping?.isUnused != false
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

  /// Numbers up to this one may belong to what is not in memory.
  func skipArrivals(through arrival: UInt64) { lastArrival = max(lastArrival, arrival) }

  /// Adds an entry or replaces the player's, and gives its position from 0.
  func put(_ entry: Entry) -> Int {
    defer { if nextOrder != nil { follow(entry.player) } }
    return table.put(EntryTable.Entry(entry, order))
  }

  func remove(_ player: PlayerID) {
    if nextOrder != nil { followRemoval(of: player) }
    next?.remove(player)
    table.remove(player.bits)
  }

  /// How many entries stand before a key.
  func countBelow(_ key: RankKey) -> Int { table.countBelow(key) }

  /// The entries at positions `start` and following, counted from 0.
  func entries(from start: Int, count: Int) -> [Entry] {
    table.numbers(from: start, count: count).map { Entry(table.entry($0), order) }
  }

  // MARK: Another rule

  func beginNext(_ definition: LeaderboardDefinition, recount: Recount? = nil) {
    if let recount {
      next = NextRanking(definition, recount: recount)
    } else {
      nextOrder = NextOrder(definition)
    }
  }

  /// The next ranking takes the place of this one; gives the old one in its stead. The board's row is
  /// to get the new rule in the same turn.
  func exchangeNext() -> (order: NextOrder?, ranking: NextRanking?) {
    let (order, ranking) = abandonNext()
    if let order {
      precondition(order.isWhole, "entries of the board are missing in the new order")
      table.exchange(&order.index)
    }
    if let ranking {
      precondition(ranking.isWhole, "entries of the board are missing in the new ranking")
      swap(&table, &ranking.table)
    }
    return (order, ranking)
  }

  /// The board is not to be ranked anew after all: what there was of it.
  func abandonNext() -> (order: NextOrder?, ranking: NextRanking?) {
    defer { (nextOrder, next) = (nil, nil) }
    return (nextOrder, next)
  }

  // MARK: Challenges

  func add(_ challenge: OpenChallengeRow) {
    openChallenges[challenge.challenge.receiver, default: []].append(challenge)
    issuedChallenges[challenge.challenge.issuer, default: []].append(IssuedChallenge(challenge))
  }

  func replace(_ challenge: OpenChallengeRow) {
    let receiver = challenge.challenge.receiver
    guard let place = openChallenges[receiver]?.firstIndex(where: { $0.key == challenge.key })
    else { return }
    openChallenges[receiver]?[place] = challenge
  }

  func removeChallenges(of receiver: PlayerID, where isEnded: (OpenChallengeRow) -> Bool) {
    for row in openChallenges[receiver] ?? [] where isEnded(row) { forgetIssued(row) }
    openChallenges[receiver]?.removeAll(where: isEnded)
    if openChallenges[receiver]?.isEmpty == true { openChallenges[receiver] = nil }
  }

  private func forgetIssued(_ row: OpenChallengeRow) {
    let issuer = row.challenge.issuer
    guard let place = issuedChallenges[issuer]?.place(of: row.arrival) else { return }
    issuedChallenges[issuer]?.remove(at: place)
    if issuedChallenges[issuer]?.isEmpty == true { issuedChallenges[issuer] = nil }
  }

  // MARK: Start

  func load(_ entry: Entry) {
    lastArrival = max(lastArrival, entry.arrival)
    // The definition may not be here yet: `loaded` puts right what order values have.
    table.load(EntryTable.Entry(entry, .lowFirst))
  }

  /// Leaves the entries of the board's generation in its table. Those of older ones are let go of; one
  /// that is being made is made again from its start, over the same rows.
  private func takeGeneration() {
    let current = generation
    if current > 0 {
      let entries = generations.removeValue(forKey: current) ?? NextRanking(.lowFirst)
      swap(&table, &entries.table)
      generations[0] = entries
      for number in generations.keys.sorted() where number < current {
        guard let old = generations[number], old.count > 0 else { continue }
        old.loaded()
        old.rows = number
        kept.retired.append(old)
      }
    }
    generations = [:]
  }

  func load(_ row: OpenChallengeRow) {
    lastArrival = max(lastArrival, row.arrival)
    add(row)
  }

  func load(_ row: RankedEntryRow) {
    lastArrival = max(lastArrival, row.arrival)
    let generation = row.key.generation
    let others = generations[generation] ?? NextRanking(.lowFirst)
    generations[generation] = others
    others.load(row.entry(of: row.key.player))
  }

  /// All rows are there: ranks the entries in one go.
  func loaded() {
    takeGeneration()
    table.rank(isReversed: order != .lowFirst)
    for receiver in openChallenges.keys {
      openChallenges[receiver]?.sort { $0.arrival < $1.arrival }
    }
    for issuer in issuedChallenges.keys {
      issuedChallenges[issuer]?.sort { $0.arrival < $1.arrival }
    }
  }
}
