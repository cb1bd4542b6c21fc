import Domain
@testable import Storage
import StoreRounds
import TestKit
import Testing
import Wire

/// Rows that are never put over themselves: what comes and goes between two folds leaves no trace.
@Suite(.serialized)
struct WrittenOnceTests {
  struct PassingRow: Row {
    static var tableID: UInt16 { 102 }
    static var tableName: String { "passing" }
    static var isWrittenOnce: Bool { true }
    var key: UInt64 = 0
    var value: UInt64 = 0
    mutating func fields<V: FieldVisitor>(_ visit: inout V) {
      visit.field("key", &key)
      visit.field("value", &value)
    }
  }

  private enum Step { case put, remove }

  private func left(of steps: [Step], isWrittenOnce: Bool) throws -> [RowChange.Kind] {
    var entries: [JournalTail.Entry] = []
    for (index, step) in steps.enumerated() {
      var changes = RowChanges()
      switch step {
      case .put: changes.put(PassingRow(key: 7, value: UInt64(index)))
      case .remove: changes.remove(PassingRow.self, 7)
      }
      entries.append(.init(number: UInt64(index + 1), time: 1, changes: changes))
    }
    let tables: Set<UInt16> = isWrittenOnce ? [PassingRow.tableID] : []
    return try coalesced(entries, writtenOnce: tables).map(\.kind)
  }

  @Test("a row that is put first and removed last needs no change, and every other does")
  func coalescing() throws {
    #expect(try left(of: [.put, .remove], isWrittenOnce: true) == [])
    #expect(try left(of: [.put, .remove, .put, .remove], isWrittenOnce: true) == [])
    #expect(try left(of: [.put, .remove, .put], isWrittenOnce: true) == [.put])
    #expect(try left(of: [.remove], isWrittenOnce: true) == [.remove])
    #expect(try left(of: [.remove, .put, .remove], isWrittenOnce: true) == [.remove])
    // Of another table the row may have been there before.
    #expect(try left(of: [.put, .remove], isWrittenOnce: false) == [.remove])
  }

  @Test("what is left after folds at any moment is what was put and not removed")
  func besideAModel() throws {
    let tables = [TableDescription(PassingRow.self, .cold), TableDescription(ScoreRow.self)]
    for seed: UInt64 in 1...20 {
      var random = SeededRandom(seed: seed)
      let directory = TemporaryDirectory("once", inMemory: true)
      // Small, so that steps end between the two changes of a row.
      let store = try openSQLite(
        directory, SQLiteOptions(createIfMissing: true, vfs: nil, foldBytesMax: 150),
        tables: tables)
      var model: [UInt64: UInt64] = [:]
      for number in 1...UInt64(60) {
        var changes = RowChanges()
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let key = UInt64.random(in: 1...12, using: &random)
          if model.removeValue(forKey: key) != nil {
            changes.remove(PassingRow.self, key)
          } else {
            model[key] = number
            changes.put(PassingRow(key: key, value: number))
          }
        }
        try store.commit(Batch(number: number, changes: changes), time: 1)
        for _ in 0..<Int.random(in: 0...2, using: &random) { _ = try store.fold() }
      }
      for isFolded in [false, true] {
        if isFolded { while try store.fold() {} }
        let range = ColdRange(
          table: PassingRow.tableID, from: [], through: [UInt8](repeating: 255, count: 9),
          limit: 100)
        let rows = try store.read(range).map { try PassingRow(decoding: $0) }
        let found = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.value) })
        #expect(found == model, "seed \(seed), folded: \(isFolded)")
      }
      store.close()
    }
  }
}
