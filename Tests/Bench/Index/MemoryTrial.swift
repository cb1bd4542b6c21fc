import BenchMachine
import Ranking

/// What a board's entries take of the machine: every player comes at a random place, one by one.
///
/// Fails when an entry takes more memory than promised, by what the system counts as resident. Says
/// also how long a put takes, the longest of all included, and what loading in bulk takes.
enum MemoryTrial {
  /// Bytes for an entry without a score tag, and with one.
  static func promised(hasTags: Bool) -> Double { hasTags ? 62 : 54 }
  /// With fewer, the large pages that are begun count for more than what fills them.
  private static let promisedFrom = 10_000_000

  static func run(players: Int, hasTags: Bool) -> Bool {
    let before = Machine.residentBytes
    var table = EntryTable(seed: 1)
    var longest = 0.0
    let start = Machine.processorTime
    var last = start
    forEachEntry(players, hasTags) { entry in
      table.put(entry)
      let now = Machine.processorTime
      longest = max(longest, now - last)
      last = now
    }
    let taken = last - start
    let bytes = Double(Machine.residentBytes - before) / Double(players)
    print(
      line([
        ("players", "\(players)"), ("tags", "\(hasTags)"),
        ("resident_bytes_per_entry", figure(bytes)),
        ("allocated_bytes_per_entry", figure(Double(table.bytes) / Double(players))),
        ("ns_per_put", figure(taken / Double(players))),
        ("longest_put_us", figure(longest / 1000)),
      ]))
    return players < promisedFrom || bytes <= promised(hasTags: hasTags)
  }

  static func load(players: Int) {
    let before = Machine.residentBytes
    var table = EntryTable(seed: 1)
    // By the clock: ranking works on two cores.
    let start = ContinuousClock.now
    forEachEntry(players, false) { table.load($0) }
    let loaded = ContinuousClock.now
    table.rank()
    let ranked = ContinuousClock.now
    let bytes = Double(Machine.residentBytes - before) / Double(players)
    print(
      line([
        ("players", "\(players)"), ("load_seconds", figure((loaded - start) / .seconds(1))),
        ("rank_seconds", figure((ranked - loaded) / .seconds(1))),
        ("resident_bytes_per_entry", figure(bytes)),
      ]))
  }

  private static func forEachEntry(
    _ players: Int, _ hasTags: Bool, _ body: (EntryTable.Entry) -> Void
  ) {
    var random = SplitMix()
    for arrival in 0..<players {
      let player = UInt128(random.next()) << 64 | UInt128(random.next())
      let key = RankKey(order: random.value(), tie: UInt64(arrival))
      body(
        EntryTable.Entry(
          player: player, key: key, date: 1_790_000_000_000 + Int64(arrival),
          scoreTag: hasTags ? 5 : 0))
    }
  }
}
