import CSQLite
import Domain
import Foundation
@testable import Storage
import StoreRounds
import Testing
import Wire

/// Loading a table of many pages at the start.
@Suite(.serialized)
struct LoadTests {
  /// Several times as many rows as are under way between the two threads at once.
  private static let rowCount: Int64 = 40_000

  private func filled(_ backend: Backend) throws -> StoreUnderTest {
    let test = try StoreUnderTest(backend)
    try test.commit { changes in
      for player in 0..<Self.rowCount { changes.put(score("a", player, player)) }
    }
    try test.foldAll()
    return test
  }

  @Test(arguments: Backend.allCases)
  func theJournalIsOnTopOfALargeTable(_ backend: Backend) throws {
    let test = try filled(backend)
    try test.commit { changes in
      for player in stride(from: 0, to: Self.rowCount, by: 7) {
        changes.put(score("a", player, -player))
      }
      for player in stride(from: 0, to: Self.rowCount, by: 11) {
        changes.remove(ScoreRow.self, .init(board: "a", player: player))
      }
      for player in Int64(0)..<100 { changes.put(score("b", player, 1)) }
    }
    #expect(try test.difference == nil)
    // A key that comes back after its removal, and one that goes after it came.
    try test.commit { changes in
      changes.put(score("a", 11, 5))
      changes.remove(ScoreRow.self, .init(board: "b", player: 3))
    }
    #expect(try test.difference == nil)
    try test.reopen()
    #expect(try test.difference == nil)
    try test.foldAll()
    #expect(try test.difference == nil)
  }

  private struct Enough: Error {}

  @Test(arguments: Backend.allCases)
  func whoeverTakesTheRowsMayFail(_ backend: Backend) throws {
    let test = try filled(backend)
    for limit in [0, 1, 20_000] {
      var taken = 0
      #expect(throws: Enough.self) {
        try test.store.load(sampleTables[0]) { _ in
          if taken == limit { throw Enough() }
          taken += 1
        }
      }
      #expect(taken == limit)
    }
    #expect(try test.difference == nil)
    try test.reopen()
    #expect(try test.difference == nil)
  }

  /// A row in the middle of a table has a value that does not fit its column.
  @Test(arguments: ["score = 'many'", "score = 1.5", "session = NULL", "name = x'41'"])
  func aRowThatDoesNotFitIsNoticed(_ damage: String) throws {
    let test = try filled(.sqlite)
    test.store.close()
    var opened: OpaquePointer?
    let path = "\(test.directory.path)/test.tables.sqlite"
    #expect(unsafe sqlite3_open(path, &opened) == SQLITE_OK)
    let sql = "UPDATE score SET \(damage) WHERE player = 30000"
    #expect(unsafe sqlite3_exec(opened, sql, nil, nil, nil) == SQLITE_OK)
    unsafe sqlite3_close(opened)
    let store = try openSQLite(test.directory)
    #expect {
      try store.load(sampleTables[0]) { _ in }
    } throws: { error in
      if case .corrupt = error as? StoreError { true } else { false }
    }
    store.close()
  }

  @Test
  func aClosedStoreLoadsNothing() throws {
    let test = try filled(.sqlite)
    test.store.close()
    #expect(throws: StoreError.self) { try test.store.load(sampleTables[0]) { _ in } }
  }
}
