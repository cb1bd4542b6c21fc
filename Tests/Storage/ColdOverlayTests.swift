import Domain
import StoreRounds
import TestKit
import Testing

@testable import Storage

/// The tail and the overlays of two tables beside a dictionary, through random steps of commits,
/// folds of a part of the tail, and reads.
@Suite("Cold overlay")
struct ColdOverlayTests {
  private static let tables: [UInt16] = [AttemptRow.tableID, ScoreRow.tableID]

  @Test(
    "7.1 a table with its overlay on top says what was committed, whatever was read before",
    arguments: 1...16)
  func besideADictionary(seed: UInt64) throws {
    var steps = OverlaySteps(seed: seed)
    for _ in 0..<600 { try steps.step() }
    #expect(steps.reads > 100 && steps.folds > 20)
  }

  @Test("A read of a few rows takes no more changed ones than it returns, however many there are")
  func limit() throws {
    var overlay = ColdOverlay(takenTo: 0)
    var (tail, changes) = (JournalTail(foldedTo: 0, time: 0), RowChanges())
    for number in 1...1_000 as ClosedRange<Int64> {
      // Every other one was removed: such a one has to hide its row in the table.
      if number.isMultiple(of: 2) {
        changes.put(AttemptRow(.init(player: 1, number: number), value: 0))
      } else {
        changes.remove(AttemptRow.self, .init(player: 1, number: number))
      }
    }
    tail.append(.init(number: 1, time: 1, changes: changes))
    try overlay.take(tail.entries(after: 0), of: AttemptRow.tableID)
    for isDescending in [false, true] {
      let range = ColdRange(
        table: AttemptRow.tableID, from: [], through: [0xFF], limit: 10, isDescending: isDescending)
      let rows = overlay.rows(in: range)
      #expect(rows.count { $0.row != nil } == 10 && rows.count <= 20)
    }
  }

  private struct OverlaySteps {
    private var random: RandomSource
    private var tail = JournalTail(foldedTo: 0, time: 0)
    private var overlays: [UInt16: ColdOverlay] = [:]
    /// The rows by table and key as of the last batch, and as of the last folded one.
    private var committed: [UInt16: [[UInt8]: [UInt8]]] = [:]
    private var folded: [UInt16: [[UInt8]: [UInt8]]] = [:]
    private(set) var reads = 0
    private(set) var folds = 0

    init(seed: UInt64) { random = .seeded(seed) }

    mutating func step() throws {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: try commit()
      case 5: try fold()
      default: try read()
      }
    }

    private mutating func commit() throws {
      var changes = RowChanges()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let number = Int64.random(in: 0...30, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: changes.remove(AttemptRow.self, .init(player: 1, number: number))
        case 1: changes.put(score("a", number, Int64.random(in: 0...99, using: &random)))
        default:
          let value = Int64.random(in: 0...99, using: &random)
          changes.put(AttemptRow(.init(player: 1, number: number), value: value))
        }
      }
      tail.append(.init(number: tail.lastBatch + 1, time: 1, changes: changes))
      try Self.apply(changes, to: &committed)
    }

    /// Folds some of the oldest batches, and forgets what was taken from the tail.
    private mutating func fold() throws {
      let count = Int.random(in: 0...tail.entries.count, using: &random)
      guard count > 0 else { return }
      for entry in tail.entries[..<count] { try Self.apply(entry.changes, to: &folded) }
      overlays = [:]
      tail.dropFolded(to: tail.entries[count - 1].number)
      folds += 1
    }

    private mutating func read() throws {
      let table = ColdOverlayTests.tables.randomElement(using: &random) ?? 0
      // Also those of rows that were removed since the fold.
      let known = Set((committed[table] ?? [:]).keys).union((folded[table] ?? [:]).keys)
      let keys = known.sorted { $0.lexicographicallyPrecedes($1) }
      guard let key = keys.randomElement(using: &random), let last = keys.last else { return }
      let isDescending = Bool.random(using: &random)
      let range =
        Bool.random(using: &random)
        ? ColdRange(rowOf: table, key: key)
        : ColdRange(
          table: table, from: key, through: last, limit: Int.random(in: 1...20, using: &random),
          isDescending: isDescending)
      var overlay = overlays[table] ?? ColdOverlay(takenTo: tail.foldedTo)
      try overlay.take(tail.entries(after: overlay.takenTo), of: table)
      #expect(overlay.takenTo == tail.lastBatch)
      let changed = overlay.rows(in: range)
      overlays[table] = overlay
      let inOrder = zip(changed, changed.dropFirst()).allSatisfy { one, next in
        isDescending && !range.isOneRow
          ? next.key.lexicographicallyPrecedes(one.key)
          : one.key.lexicographicallyPrecedes(next.key)
      }
      #expect(inOrder)
      #expect(changed.count { $0.row != nil } <= range.limit)
      var rows = (folded[table] ?? [:]).filter { range.contains($0.key) }
      for change in changed { rows[change.key] = change.row }
      let expected = (committed[table] ?? [:]).filter { range.contains($0.key) }
      #expect(Self.first(rows, in: range) == Self.first(expected, in: range))
      reads += 1
    }

    /// The rows that a read of the range returns.
    private static func first(_ rows: [[UInt8]: [UInt8]], in range: ColdRange) -> [[UInt8]] {
      let keys = rows.keys.sorted {
        range.isDescending ? $1.lexicographicallyPrecedes($0) : $0.lexicographicallyPrecedes($1)
      }
      return keys.prefix(range.limit).compactMap { rows[$0] }
    }

    private static func apply(
      _ changes: RowChanges, to tables: inout [UInt16: [[UInt8]: [UInt8]]]
    ) throws {
      for change in try changes.decoded() {
        tables[change.table, default: [:]][change.key] =
          change.kind == .put ? change.bytes : nil
      }
    }
  }
}
