internal import Dispatch

/// The entries of a board: what each player has, found by player and by rank.
///
/// Everything about an entry is in columns by its number: id (16 bytes), key (16), date (6), and
/// the score tag (8) where there are any; the hash table takes 5 to 6 bytes and the rank index
/// about 9 more. Every change touches a bounded number of rows, whatever the size.
package struct EntryTable: ~Copyable {
  package struct Entry: Equatable {
    package var player: UInt128
    package var key: RankKey
    package var date: Int64
    package var scoreTag: UInt64

    package init(player: UInt128, key: RankKey, date: Int64, scoreTag: UInt64) {
      self.player = player
      self.key = key
      self.date = date
      self.scoreTag = scoreTag
    }
  }

  private var players: PlayerTable
  private var index = RankIndex()
  private var dates = DateColumn()
  private var scoreTags = ScoreTagColumn()

  /// - Parameter seed: of the hash table; nothing that a caller sees depends on it.
  package init(seed: UInt64 = .random(in: 0...UInt64.max)) { players = PlayerTable(seed: seed) }

  package var count: Int { players.count }
  /// The bytes of memory that the table has taken from the system.
  package var bytes: Int { players.bytes + index.bytes + dates.bytes + scoreTags.bytes }

  package func number(of player: UInt128) -> UInt32? { players.number(of: player) }

  /// Returns the entry with a number that `number(of:)` or `numbers(from:count:)` returned.
  package func entry(_ number: UInt32) -> Entry {
    precondition(number < players.numbersEnd, "the number of an entry")
    return Entry(
      player: players[number], key: index.key(of: number), date: dates[number],
      scoreTag: scoreTags[number])
  }

  /// Adds an entry or replaces the player's, and returns its position from 0. No other entry may
  /// have its key.
  @discardableResult
  package mutating func put(_ entry: Entry) -> Int {
    let known = players.number(of: entry.player)
    let number = known ?? players.add(entry.player)
    dates.set(number, entry.date)
    scoreTags.set(number, entry.scoreTag)
    return known == nil ? index.insert(number, entry.key) : index.update(number, to: entry.key)
  }

  /// Removes the entry of a player, who must have one.
  package mutating func remove(_ player: UInt128) {
    guard let number = players.number(of: player) else { return }
    index.remove(number)
    players.remove(player)
  }

  // MARK: Ranks

  package func position(of number: UInt32) -> Int { index.position(of: number) }
  package func countBelow(_ key: RankKey) -> Int { index.countBelow(key) }
  package func numbers(from start: Int, count: Int) -> [UInt32] {
    index.numbers(from: start, count: count)
  }

  // MARK: Another order

  /// Every entry's number is below this.
  package var numbersEnd: Int { players.numbersEnd }
  package func key(of number: UInt32) -> RankKey { index.key(of: number) }

  /// Ranks the entries by another index with the same numbers, and puts the index of this table in
  /// its place.
  package mutating func exchange(_ other: inout RankIndex) {
    precondition(other.count == count && other.numbersEnd == numbersEnd, "all entries are in it")
    swap(&index, &other)
  }

  // MARK: Start

  /// Adds the entry of a player who has none, to a table that is still being loaded. The entry has
  /// no rank, and is not found by its player, before `rank(isReversed:)`.
  package mutating func load(_ entry: Entry) {
    let number = players.load(entry.player)
    dates.set(number, entry.date)
    scoreTags.set(number, entry.scoreTag)
    index.setKey(number, entry.key)
  }

  /// Ends the loading: builds the hash table and the rank index of all entries.
  /// - Parameter isReversed: whether to turn the order of the keys around first.
  package mutating func rank(isReversed: Bool = false) {
    if isReversed {
      for number in 0..<UInt32(players.numbersEnd) {
        let key = index.key(of: number)
        index.setKey(number, RankKey(order: ~key.order, tie: key.tie))
      }
    }
    if count < Self.buildsApartMin {
      players.build()
      index.build()
    } else {
      buildApart()
    }
  }

  /// Entries from which on two threads build. Fewer take one thread a few milliseconds, and most
  /// boards have few.
  static var buildsApartMin: Int { 1 << 16 }

  /// Builds the hash table and the index at once, on two cores, because a service is not ready
  /// before its largest boards are.
  private mutating func buildApart() {
    var players = Swift.exchange(&self.players, with: PlayerTable(seed: 0))
    var index = Swift.exchange(&self.index, with: RankIndex())
    unsafe withUnsafeMutablePointer(to: &players) { players in
      unsafe withUnsafeMutablePointer(to: &index) { index in
        // One thread alone uses the one, and another the other, until both are done.
        nonisolated(unsafe) let (players, index) = unsafe (players, index)
        DispatchQueue.concurrentPerform(iterations: 2) { part in
          if part == 0 { unsafe players.pointee.build() } else { unsafe index.pointee.build() }
        }
      }
    }
    self.players = players
    self.index = index
  }

  // MARK: End

  /// Gives back the memory of a table that is not read again, at most `pieces` large pages, so that
  /// a table of any size can be released in steps. Returns whether little is left.
  package mutating func giveBack(pieces: Int) -> Bool {
    var left = pieces
    players.giveBack(&left)
    index.giveBack(&left)
    dates.giveBack(&left)
    scoreTags.giveBack(&left)
    return left > 0
  }

  /// Returns the first broken invariant in words, for tests; it reads everything.
  package func fault() -> String? { players.fault() ?? index.fault() }
}
