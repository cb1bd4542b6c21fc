/// Gives players dense numbers, and finds the number of an id of 16 bytes and the id of a number.
///
/// The ids are a column; the way back is an open hash table (`Buckets`) that grows by an eighth at
/// a time, bucket by bucket, one run of buckets for each player that is added. While it grows there
/// are two tables. Hashes below the frontier are looked up in the new one, the others in the old
/// one, whose buckets follow the order of hashes too and are given back as the frontier passes. So
/// no addition waits for more than a few buckets, and there are never two whole tables. An id takes
/// 16 bytes, and its place in the buckets 5 to 6.
///
/// The number of a removed player is the next to be given out.
struct PlayerTable: ~Copyable {
  private var players = Column<UInt128>()
  private var buckets = Buckets(homes: 1)
  /// The buckets from before they grew; they have no homes when all entries have moved.
  private var old = Buckets(homes: 0)
  /// The entries of the old buckets before this one have moved.
  private var frontier = 0
  /// The number that was released last. Its place in the column holds the number released before
  /// it, plus one.
  private(set) var released: UInt32?
  private(set) var count = 0
  /// Seeds the hashes. It differs for each table, so that nobody can make up ids that share a home.
  private let seed: UInt64

  /// The buckets begin to grow when so many hundredths of their room are used. The old ones are at
  /// 0.9 when the last entry leaves them, the new ones then at 0.8.
  private static var fullHundredths: Int { 84 }
  private static var loadedHundredths: Int { 80 }

  init(seed: UInt64) { self.seed = seed }

  /// Every number given out so far is below this.
  var numbersEnd: Int { players.count }
  var bytes: Int { players.bytes + buckets.bytes + old.bytes }

  /// Gives back the memory of a table that is not read again, and counts its pieces off `left`.
  mutating func giveBack(_ left: inout Int) {
    players.giveBack(&left)
    buckets.giveBack(&left)
    old.giveBack(&left)
  }

  subscript(_ number: UInt32) -> UInt128 { players[Int(number)] }

  func number(of player: UInt128) -> UInt32? {
    let hash = hash(player)
    let place =
      isOld(hash) ? old.find(player, hash, in: players) : buckets.find(player, hash, in: players)
    return place?.number
  }

  /// Gives a number to a player who has none.
  mutating func add(_ player: UInt128) -> UInt32 {
    if old.homes > 0 { moveRun() } else { growIfFull() }
    let number = takeNumber(player)
    let hash = hash(player)
    if isOld(hash) { old.insert(number, hash) } else { buckets.insert(number, hash) }
    count += 1
    return number
  }

  /// Forgets a player; the number may be given to another.
  mutating func remove(_ player: UInt128) {
    let hash = hash(player)
    let isOld = isOld(hash)
    let found =
      isOld ? old.find(player, hash, in: players) : buckets.find(player, hash, in: players)
    guard let place = found else { preconditionFailure("the player has a number") }
    if isOld { old.remove(place, hash) } else { buckets.remove(place, hash) }
    players[Int(place.number)] = released.map { UInt128($0) + 1 } ?? 0
    released = place.number
    count -= 1
  }

  // MARK: Start

  /// Gives the next number to a player who has none. The player is not found before `build`.
  mutating func load(_ player: UInt128) -> UInt32 {
    precondition(count == players.count && old.homes == 0, "nobody was removed before the start")
    count += 1
    return takeNumber(player)
  }

  /// Makes buckets for the number of loaded players and puts all of them in.
  mutating func build() {
    let homes = players.count * 100 / (Buckets.room * Self.loadedHundredths) + 1
    buckets = Buckets(homes: homes)
    for number in 0..<players.count { buckets.insert(UInt32(number), hash(players[number])) }
  }

  private mutating func takeNumber(_ player: UInt128) -> UInt32 {
    guard let number = released else {
      precondition(players.count < UInt32.max, "entry numbers have 32 bits")
      players.append(player)
      return UInt32(players.count - 1)
    }
    released = previouslyReleased(number)
    players[Int(number)] = player
    return number
  }

  /// Returns the number that was released before `number`, which must be a released one.
  func previouslyReleased(_ number: UInt32) -> UInt32? {
    let previous = players[Int(number)]
    return previous == 0 ? nil : UInt32(previous - 1)
  }

  // MARK: Growth

  private func isOld(_ hash: UInt64) -> Bool { old.homes > 0 && old.home(of: hash) >= frontier }

  private mutating func growIfFull() {
    let room = buckets.homes * Buckets.room
    guard (players.count + 1) * 100 > room * Self.fullHundredths else { return }
    old = exchange(&buckets, with: Buckets(homes: buckets.homes + max(1, buckets.homes / 8)))
    frontier = 0
    if old.count == 0 { old = Buckets(homes: 0) }
  }

  /// Moves the entries of the next buckets, up to a bucket that no entry has overflowed.
  private mutating func moveRun() {
    var isOverflowed = true
    while isOverflowed && frontier < old.count {
      let line = old.line(frontier)
      for word in 1...Buckets.room where line[word] != 0 {
        let number = old.number(line[word])
        buckets.insert(number, hash(players[Int(number)]))
      }
      isOverflowed = line[0] > 0
      frontier += 1
    }
    old.discard(before: frontier)
    if frontier >= old.count { old = Buckets(homes: 0) }
  }

  // MARK: Hash

  /// Returns the hash of an id. Every bit of the id and of the seed changes every bit of the hash.
  /// Ids with the same high half and different low halves have different hashes.
  func hash(_ player: UInt128) -> UInt64 {
    let high = UInt64(truncatingIfNeeded: player >> 64)
    var hash = (high ^ seed) &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ hash >> 32 ^ UInt64(truncatingIfNeeded: player)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ hash >> 29 ^ seed) &* 0x94d0_49bb_1331_11eb
    return hash ^ hash >> 32
  }
}
