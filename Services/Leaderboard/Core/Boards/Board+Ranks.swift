import Operations
import Ranking
import Wire

extension Board {
  /// Returns an entry with the rank that its position on the whole board gives it.
  func ranked(_ entry: Entry, position: Int) -> LeaderboardEntry {
    guard definition.tieRule == .sharedRank else { return shown(entry, rank: position + 1) }
    return shown(entry, rank: countBelow(rankBound(of: entry)) + 1)
  }

  /// Returns the player's entry with its rank on the whole board.
  func rankedEntry(of player: PlayerID) -> LeaderboardEntry? {
    guard let entry = entry(of: player) else { return nil }
    return ranked(entry, position: position(of: entry))
  }

  /// How many entries stand before this one, from 0.
  func position(of entry: Entry) -> Int { countBelow(rankKey(of: entry)) }

  /// Entries from a position on, with their ranks on the whole board.
  func page(from position: Int, count: Int) -> [LeaderboardEntry] {
    let found = entries(from: position, count: count)
    guard let first = found.first else { return [] }
    let firstRank = ranked(first, position: position).rank
    return shown(found[...], from: position, firstRank: Int(firstRank))
  }

  /// How many entries have a strictly better value.
  func count(betterThan value: Int64) -> Int { countBelow(rankKey(of: Entry(value: value))) }

  /// How many entries have a value that is equal or better.
  func count(atLeastAsGoodAs value: Int64) -> Int { countBelow(rankBound(through: value)) }

  /// The key below which exactly those entries stand that rank better than this one.
  func rankBound(of entry: Entry) -> RankKey {
    var key = rankKey(of: entry)
    if definition.tieRule == .sharedRank { key.tie = 0 }
    return key
  }

  /// The key below which exactly those entries stand whose value is equal or better.
  func rankBound(through value: Int64) -> RankKey {
    // No arrival is ever as great as this.
    rankKey(of: Entry(value: value, arrival: .max))
  }

  /// Returns a stretch of a ranking with its ranks, of which the first one is given.
  func shown(_ stretch: ArraySlice<Entry>, from position: Int, firstRank: Int) -> [LeaderboardEntry]
  {
    var shownEntries: [LeaderboardEntry] = []
    shownEntries.reserveCapacity(stretch.count)
    var rank = firstRank
    var previous: Entry?
    for (offset, entry) in stretch.enumerated() {
      if let previous, definition.tieRule != .sharedRank || previous.value != entry.value {
        rank = position + offset + 1
      }
      shownEntries.append(shown(entry, rank: rank))
      previous = entry
    }
    return shownEntries
  }

  func shown(_ entry: Entry, rank: Int) -> LeaderboardEntry {
    var shown = LeaderboardEntry()
    shown.rank = UInt32(rank)
    shown.player = entry.player
    shown.value = entry.value
    shown.scoreTag = entry.tag
    shown.date = entry.date
    return shown
  }
}

/// The ranking of some players among themselves: a scope.
struct ScopedRanking {
  let board: Board
  /// In board order.
  let entries: [Board.Entry]

  /// Players without an entry are left out, and one named twice counts once. O(s log s).
  init(_ board: Board, players: [PlayerID]) {
    self.board = board
    entries = Set(players).compactMap { board.entry(of: $0) }
      .sorted { board.rankKey(of: $0) < board.rankKey(of: $1) }
  }

  func page(from position: Int, count: Int) -> [LeaderboardEntry] {
    guard position < entries.count else { return [] }
    let stretch = entries[position..<min(entries.count, position + count)]
    return board.shown(stretch, from: position, firstRank: rank(of: entries[position]))
  }

  /// The entry with the rank that it has in the scope.
  func ranked(_ entry: Board.Entry?) -> LeaderboardEntry? {
    entry.map { board.shown($0, rank: rank(of: $0)) }
  }

  /// The rank that the entry has in the scope, or would have if it is not in it.
  func rank(of entry: Board.Entry) -> Int {
    let bound = board.rankBound(of: entry)
    return 1 + entries.count { board.rankKey(of: $0) < bound }
  }
}
