public import Domain
public import Storage
import Wire

/// What a store must hold: one dictionary of encoded rows for each table.
public struct Model: Equatable, Sendable {
  public var tables: [UInt16: [[UInt8]: [UInt8]]] = [:]
  public var lastBatch: UInt64 = 0
  public var lastTime: Int64 = 0

  public init() {}

  public mutating func apply(_ batch: Batch, time: Int64) throws {
    for change in try batch.changes.decoded() {
      tables[change.table, default: [:]][change.key] = change.kind == .put ? change.bytes : nil
    }
    lastBatch = batch.number
    lastTime = time
  }

  /// Returns what a cold read must return, in the slow and obvious way.
  public func read(_ range: ColdRange) -> [[UInt8]] {
    let found = (tables[range.table] ?? [:]).filter { range.contains($0.key) }
    let sorted = found.sorted { left, right in
      range.isDescending
        ? right.key.lexicographicallyPrecedes(left.key)
        : left.key.lexicographicallyPrecedes(right.key)
    }
    return sorted.prefix(max(0, range.limit)).map(\.value)
  }

  /// Returns the first difference between a store and this model in words; nil when there is none.
  public func difference(from store: any Store, _ descriptions: [TableDescription]) throws
    -> String?
  {
    if store.lastBatch != lastBatch { return "batch \(store.lastBatch), not \(lastBatch)" }
    if store.lastTime != lastTime { return "time \(store.lastTime), not \(lastTime)" }
    for table in descriptions {
      let expected = (tables[table.id] ?? [:]).values.sorted { $0.lexicographicallyPrecedes($1) }
      var loaded: [[UInt8]] = []
      try store.load(table) { row in
        loaded.append(unsafe row.withUnsafeBytes { unsafe Array($0) })
      }
      loaded.sort { $0.lexicographicallyPrecedes($1) }
      if loaded != expected {
        return "table \(table.name) has \(loaded.count) rows, not the \(expected.count) expected"
      }
      guard table.residence == .cold else { continue }
      let all = ColdRange(table: table.id, from: [], through: [], limit: .max)
      if try store.read(all) != read(all) { return "table \(table.name) reads another order" }
    }
    return nil
  }
}

/// Random numbers that a seed repeats: SplitMix64.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64
  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// Makes random batches over few keys, so that rows are overwritten and removed often.
public struct RandomBatches {
  public var random: SeededRandom
  public init(seed: UInt64) { random = SeededRandom(seed: seed) }

  public mutating func next(after model: Model) -> (batch: Batch, time: Int64) {
    var changes = RowChanges()
    for _ in 0..<Int.random(in: 0...12, using: &random) { addChange(&changes) }
    let time = model.lastTime + .random(in: 0...5, using: &random)
    return (Batch(number: model.lastBatch + 1, changes: changes), time)
  }

  private mutating func addChange(_ changes: inout RowChanges) {
    let isRemoval = Int.random(in: 0..<4, using: &random) == 0
    if Bool.random(using: &random) {
      let board = ["a", "b", "", "ab"].randomElement(using: &random) ?? ""
      let key = ScoreRow.Key(board: board, player: .random(in: -4...12, using: &random))
      if isRemoval { return changes.remove(ScoreRow.self, key) }
      var row = ScoreRow.arbitrary(using: &random)
      row.key = key
      changes.put(row)
    } else {
      let text = ["", "x", "b", "aa"].randomElement(using: &random) ?? ""
      let key = AttemptRow.Key(
        player: .random(in: 0...4, using: &random), text: text,
        number: .random(in: -2...5, using: &random))
      if isRemoval { return changes.remove(AttemptRow.self, key) }
      var row = AttemptRow(key, value: .random(in: -9...9, using: &random))
      let count = Int.random(in: 0...9, using: &random) == 0 ? 20_000 : 10
      row.body = Bytes([UInt8](repeating: UInt8(truncatingIfNeeded: model(row)), count: count))
      changes.put(row)
    }
  }

  private func model(_ row: AttemptRow) -> Int64 { row.value &* 31 &+ row.key.number }

  public mutating func range() -> ColdRange {
    func player(_ random: inout SeededRandom) -> [UInt8] {
      UInt64.random(in: 0...5, using: &random).keyBytes
    }
    let from = Bool.random(using: &random) ? [] : player(&random)
    let through = Bool.random(using: &random) ? from : player(&random)
    return ColdRange(
      table: AttemptRow.tableID, from: from, through: through,
      limit: [0, 1, 3, 10, 1000].randomElement(using: &random) ?? 1,
      isDescending: .random(using: &random))
  }
}
