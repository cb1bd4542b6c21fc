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
  private var table = EntryTable()
  private var lastArrival: UInt64 = 0
  /// In order of arrival.
  private(set) var openChallenges: [PlayerID: [OpenChallengeRow]] = [:]

  /// What the board has besides this ranking; nil for a plain one.
  var keeping: BoardKeeping?
  /// The number of the occurrence that this ranks, for the rankings of a recurring board.
  let occurrence: Int64?

  init(key: RoutingKey, occurrence: Int64? = nil) {
    self.key = key
    self.occurrence = occurrence
  }

  var definition: LeaderboardDefinition { row.definition }
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
  func put(_ entry: Entry) -> Int { table.put(EntryTable.Entry(entry, order)) }

  func remove(_ player: PlayerID) { table.remove(player.bits) }

  /// How many entries stand before a key.
  func countBelow(_ key: RankKey) -> Int { table.countBelow(key) }

  /// The entries at positions `start` and following, counted from 0.
  func entries(from start: Int, count: Int) -> [Entry] {
    table.numbers(from: start, count: count).map { Entry(table.entry($0), order) }
  }

  // MARK: Challenges

  func add(_ challenge: OpenChallengeRow) {
    openChallenges[challenge.challenge.receiver, default: []].append(challenge)
  }

  func replace(_ challenge: OpenChallengeRow) {
    let receiver = challenge.challenge.receiver
    guard let place = openChallenges[receiver]?.firstIndex(where: { $0.key == challenge.key })
    else { return }
    openChallenges[receiver]?[place] = challenge
  }

  func removeChallenges(of receiver: PlayerID, where isEnded: (OpenChallengeRow) -> Bool) {
    openChallenges[receiver]?.removeAll(where: isEnded)
    if openChallenges[receiver]?.isEmpty == true { openChallenges[receiver] = nil }
  }

  // MARK: Start

  func load(_ row: EntryRow) {
    var entry = Entry()
    entry.player = row.key.player
    entry.value = row.value
    entry.context = row.context
    entry.date = row.date
    entry.arrival = row.arrival
    lastArrival = max(lastArrival, row.arrival)
    // The definition may not be here yet: `loaded` puts right what order values have.
    table.load(EntryTable.Entry(entry, .lowFirst))
  }

  func load(_ row: OpenChallengeRow) {
    lastArrival = max(lastArrival, row.arrival)
    add(row)
  }

  /// All rows are there: ranks the entries in one go.
  func loaded() {
    table.rank(isReversed: order != .lowFirst)
    for receiver in openChallenges.keys {
      openChallenges[receiver]?.sort { $0.arrival < $1.arrival }
    }
  }
}
