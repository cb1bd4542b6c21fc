internal import Dispatch

/// The entries of a board: what each player has, found by player and by rank.
///
/// Everything about an entry is in columns by its number: id (16 bytes), key (16), date (6), and
/// the context (8) where there are any; the hash table takes 5 to 6 bytes and the rank index about 9
/// more. Every change touches a bounded number of rows, whatever the size.
package struct EntryTable: ~Copyable {
  package struct Entry: Equatable {
    package var player: UInt128
    package var key: RankKey
    package var date: Int64
    package var context: UInt64

    package init(player: UInt128, key: RankKey, date: Int64, context: UInt64) {
      self.player = player
      self.key = key
      self.date = date
      self.context = context
    }
  }

  private var players: PlayerTable
  private var index = RankIndex()
  private var dates = DateColumn()
  private var contexts = ContextColumn()

  /// `seed` is for the hash table alone: nothing that a caller sees depends on it.
  package init(seed: UInt64 = .random(in: 0...UInt64.max)) { players = PlayerTable(seed: seed) }

  package var count: Int { players.count }
  /// The bytes taken from the system for entries.
  package var bytes: Int { players.bytes + index.bytes + dates.bytes + contexts.bytes }

  package func number(of player: UInt128) -> UInt32? { players.number(of: player) }

  /// The entry with a number that `number(of:)` or `numbers(from:count:)` gave.
  package func entry(_ number: UInt32) -> Entry {
    precondition(number < players.numbersEnd, "the number of an entry")
    return Entry(
      player: players[number], key: index.key(of: number), date: dates[number],
      context: contexts[number])
  }

  /// Adds an entry or replaces the player's, and gives its position from 0. No other entry may have
  /// its key.
  @discardableResult
  package mutating func put(_ entry: Entry) -> Int {
    let known = players.number(of: entry.player)
    let number = known ?? players.add(entry.player)
    dates.set(number, entry.date)
    contexts.set(number, entry.context)
    return known == nil ? index.insert(number, entry.key) : index.update(number, to: entry.key)
  }

  /// Removes the entry of a player that has one.
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

  /// Numbers of entries are below this one.
  package var numbersEnd: Int { players.numbersEnd }
  package func key(of number: UInt32) -> RankKey { index.key(of: number) }

  /// Ranks the entries by another index, which has the same numbers, and gives this one's in its place.
  package mutating func exchange(_ other: inout RankIndex) {
    precondition(other.count == count && other.numbersEnd == numbersEnd, "all entries are in it")
    swap(&index, &other)
  }

  // MARK: Start

  /// Takes the entry of a player that has none, into a table that has only been loaded. It has no
  /// rank and is not found before `rank(isReversed:)`.
  package mutating func load(_ entry: Entry) {
    let number = players.load(entry.player)
    dates.set(number, entry.date)
    contexts.set(number, entry.context)
    index.setKey(number, entry.key)
  }

  /// All entries were loaded: makes them found by player and by rank, each in one go. `isReversed`
  /// says that their orders are to be turned around first.
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

  /// Fewer entries take a few milliseconds, and most boards have few: one thread is enough for them.
  static var buildsApartMin: Int { 1 << 16 }

  /// Builds both at once, on two cores: a service is not ready before the larger boards are.
  private mutating func buildApart() {
    var players = Swift.exchange(&self.players, with: PlayerTable(seed: 0))
    var index = Swift.exchange(&self.index, with: RankIndex())
    unsafe withUnsafeMutablePointer(to: &players) { players in
      unsafe withUnsafeMutablePointer(to: &index) { index in
        // Each is touched by one thread alone until both are done.
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

  /// Gives memory back, at most so many large pages, so that a table of any size can go in steps;
  /// nothing must be read again. True when what is left is little.
  package mutating func giveBack(pieces: Int) -> Bool {
    var left = pieces
    players.giveBack(&left)
    index.giveBack(&left)
    dates.giveBack(&left)
    contexts.giveBack(&left)
    return left > 0
  }

  /// The first broken invariant, in words. For tests: reads everything.
  package func fault() -> String? { players.fault() ?? index.fault() }
}
