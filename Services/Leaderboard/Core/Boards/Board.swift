import Operations
import Wire

/// One board: its definition, its entries by player and by rank, and its open challenges.
///
/// Entries have dense numbers, so that the rank index and the dictionary of players hold four bytes
/// for each; the number of a removed entry is used again.
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
  private(set) var index = RankIndex()
  private var entries: [Entry] = []
  private var numbers: [PlayerID: UInt32] = [:]
  private var freeNumbers: [UInt32] = []
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
  var total: Int { numbers.count }
  var isUnused: Bool {
    numbers.isEmpty && openChallenges.isEmpty && keeping?.isUnused != false
  }

  func entry(of player: PlayerID) -> Entry? { numbers[player].map { entries[Int($0)] } }
  func entry(number: UInt32) -> Entry { entries[Int(number)] }

  func rankKey(of entry: Entry) -> RankKey {
    RankKey(value: entry.value, order: row.definition.sortOrder, tie: entry.arrival)
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
    let number: UInt32
    if let known = numbers[entry.player] {
      number = known
      index.remove(rankKey(of: entries[Int(number)]))
      entries[Int(number)] = entry
    } else {
      number = add(entry)
    }
    return index.insert(rankKey(of: entry), number)
  }

  func remove(_ player: PlayerID) {
    guard let number = numbers.removeValue(forKey: player) else { return }
    index.remove(rankKey(of: entries[Int(number)]))
    freeNumbers.append(number)
  }

  private func add(_ entry: Entry) -> UInt32 {
    let number: UInt32
    if let free = freeNumbers.popLast() {
      number = free
      entries[Int(number)] = entry
    } else {
      number = UInt32(entries.count)
      entries.append(entry)
    }
    numbers[entry.player] = number
    return number
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
    _ = add(entry)
  }

  func load(_ row: OpenChallengeRow) {
    lastArrival = max(lastArrival, row.arrival)
    add(row)
  }

  /// All rows are there: ranks the entries in one go.
  func loaded() {
    var keyed: [(key: RankKey, entry: UInt32)] = []
    keyed.reserveCapacity(entries.count)
    for (number, entry) in entries.enumerated() {
      keyed.append((rankKey(of: entry), UInt32(number)))
    }
    keyed.sort { $0.key < $1.key }
    index = RankIndex(sorted: keyed)
    for receiver in openChallenges.keys {
      openChallenges[receiver]?.sort { $0.arrival < $1.arrival }
    }
  }
}
