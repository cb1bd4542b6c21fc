import Domain
import Ranking

/// Makes random changes of an entry table, and compares it with a dictionary and a sorted array. In
/// the middle it loads the table in bulk, as a board is loaded at a start.
public struct TableRound: ~Copyable {
  private let seed: UInt64
  private let spread: Spread
  private let names: PlayerNames
  private var random: RandomSource
  private var table: EntryTable
  private var entries: [UInt128: EntryTable.Entry] = [:]
  private var players: [UInt128] = []
  private var model = SortedKeys()
  private var tie: UInt64 = 0

  public init(seed: UInt64, spread: Spread, names: PlayerNames) {
    self.seed = seed
    self.spread = spread
    self.names = names
    random = .seeded(seed)
    table = EntryTable(seed: random.next())
  }

  public mutating func run(operations: Int) throws(Mismatch) {
    for step in 0..<operations {
      if Int.random(in: 0..<8, using: &random) == 0 { try remove() } else { try put(step) }
      try lookUp()
      if step == operations / 2 { try load() }
      if step % max(1, operations / 4) == 0, let fault = table.fault() { throw mismatch(fault) }
    }
    if let fault = table.fault() { throw mismatch(fault) }
  }

  private mutating func put(_ step: Int) throws(Mismatch) {
    tie += 1
    let isNew = players.isEmpty || Int.random(in: 0..<2, using: &random) == 0
    let player = isNew ? names.name(step, &random) : players.randomElement(using: &random) ?? 0
    let tag = Int.random(in: 0..<30, using: &random) == 0 ? random.next() : 0
    let entry = EntryTable.Entry(
      player: player, key: RankKey(order: spread.value(step, &random), tie: tie),
      date: .random(in: -1 << 47..<1 << 47, using: &random), scoreTag: tag)
    if let old = entries.updateValue(entry, forKey: player) {
      model.remove(old.key)
    } else {
      players.append(player)
    }
    try expect(table.put(entry), model.insert(entry.key), "the position of an entry")
    try expect(table.count, players.count, "the count")
  }

  private mutating func remove() throws(Mismatch) {
    guard !players.isEmpty else { return }
    let place = Int.random(in: 0..<players.count, using: &random)
    players.swapAt(place, players.count - 1)
    guard let player = players.popLast(), let entry = entries.removeValue(forKey: player) else {
      return
    }
    table.remove(player)
    model.remove(entry.key)
    try expect(table.number(of: player), nil, "the number of a removed player")
  }

  private mutating func lookUp() throws(Mismatch) {
    guard let player = players.randomElement(using: &random), let entry = entries[player] else {
      return
    }
    guard let number = table.number(of: player) else { throw mismatch("a player is not found") }
    try expect(table.entry(number), entry, "an entry")
    try expect(table.position(of: number), model.countBelow(entry.key), "the position of a player")
    // One bit off is somebody else, or nobody.
    let other = player ^ 1 << UInt128.random(in: 0..<128, using: &random)
    let found = table.number(of: other).map { table.entry($0) }
    try expect(found, entries[other], "the entry of a player who is nearly another")
  }

  /// Loads the same entries in any order, as a process that starts; their keys are turned around or
  /// not.
  private mutating func load() throws(Mismatch) {
    let isReversed = Bool.random(using: &random)
    table = EntryTable(seed: random.next())
    for player in players.shuffled(using: &random) {
      guard var entry = entries[player] else { continue }
      if isReversed { entry.key = RankKey(order: ~entry.key.order, tie: entry.key.tie) }
      table.load(entry)
    }
    table.rank(isReversed: isReversed)
    if let fault = table.fault() { throw mismatch("after loading: \(fault)") }
  }

  private func expect<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String)
    throws(Mismatch)
  {
    if found != wanted { throw mismatch("\(what): \(found) instead of \(wanted)") }
  }

  private func mismatch(_ text: String) -> Mismatch {
    Mismatch(description: "seed \(seed), spread \(spread), names \(names): \(text)")
  }
}

/// How players' ids are made: at random, as the server does, or so that a weak hash would fail.
public enum PlayerNames: CaseIterable, Sendable {
  case random, counted, countedHigh, countedMiddle, doubled

  func name(_ step: Int, _ random: inout RandomSource) -> UInt128 {
    switch self {
    case .random: UInt128(random.next()) << 64 | UInt128(random.next())
    case .counted: UInt128(step)
    case .countedHigh: UInt128(step) << 96
    case .countedMiddle: UInt128(step) << 54
    // The same in both halves, so that they would cancel each other.
    case .doubled: UInt128(step) << 64 | UInt128(step)
    }
  }
}
