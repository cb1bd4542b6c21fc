import Domain
import Foundation
import Locking
import StoreRounds
import TestKit
import Testing
import Wire

@testable import Storage

/// Rewriting the files, so that nothing is left in them of what was removed (rule 7.3).
@Suite(.serialized, .endsAtLast)
struct CleaningTests {
  private static let marker = "Markermaid"

  /// Rows with the marker among many others, in batches that are folded every now and then. Then
  /// those with the marker are removed or replaced.
  private func spread(_ test: StoreUnderTest) throws {
    var random = SeededRandom(seed: 3)
    for batch in 0..<40 {
      try test.commit { changes in
        for _ in 0..<25 {
          var row = score("b", .random(in: 0...5_000, using: &random), 1)
          row.name = String(repeating: "y", count: .random(in: 0...200, using: &random))
          changes.put(row)
        }
        var marked = score("a", Int64(batch), 1)
        marked.name = "\(Self.marker) \(batch)"
        changes.put(marked)
        let key = AttemptRow.Key(player: 1, text: Self.marker, number: Int64(batch))
        changes.put(AttemptRow(key, value: 1))
      }
      if batch % 3 == 0 { try test.foldAll() }
    }
    try test.commit { changes in
      for batch in 0..<40 as Range<Int64> {
        if batch.isMultiple(of: 2) {
          changes.put(score("a", batch, 2))
        } else {
          changes.remove(ScoreRow.self, .init(board: "a", player: batch))
        }
        let key = AttemptRow.Key(player: 1, text: Self.marker, number: batch)
        changes.remove(AttemptRow.self, key)
      }
    }
  }

  private func filesWithMarker(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).filter { name in
      try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)"))
        .range(of: Data(Self.marker.utf8)) != nil
    }
  }

  @Test("7.3 after cleaning no file has what was removed", arguments: [false, true])
  func everyFile(isReopened: Bool) throws {
    let test = try StoreUnderTest(.sqlite)
    try spread(test)
    try test.foldAll()
    #expect(try !filesWithMarker(in: test.directory.path).isEmpty)
    // The batch that removes the rows names them, and is the newest: it stays in the journal.
    try test.commit { $0.put(score("a", 1, 1)) }
    try test.foldAll()
    if isReopened { try test.reopen() }
    try test.store.clean()
    #expect(try filesWithMarker(in: test.directory.path) == [])
    #expect(try test.difference == nil)
    try test.commit { $0.put(score("a", 1, 3)) }
    try test.reopen()
    #expect(try test.difference == nil)
    #expect(try filesWithMarker(in: test.directory.path) == [])
  }

  @Test(arguments: Backend.allCases)
  func cleaningLosesNothing(_ backend: Backend) throws {
    let test = try StoreUnderTest(backend)
    try test.store.clean()
    for number in 0..<30 as Range<Int64> {
      try test.commit { $0.put(score("a", number, 1)) }
      if number % 7 == 0 { _ = try test.store.fold() }
      if number % 5 == 0 { try test.store.clean() }
      #expect(try test.difference == nil)
    }
    try test.reopen()
    #expect(try test.difference == nil)
    #expect(test.store.foldedTo <= test.store.lastBatch)
    try test.foldAll()
    #expect(test.store.foldedTo == test.store.lastBatch)
  }

  @Test
  func theCommitterCleansWhenTheBatchIsInTheTables() throws {
    let directory = TemporaryDirectory("clean")
    let store = try openSQLite(directory, SQLiteOptions(createIfMissing: true))
    let log = Locked<(cleaned: [UInt64], foldedTo: UInt64)>(([], 0))
    let changed = DispatchSemaphore(value: 0)
    var options = Committer.Options()
    options.foldDelaySecondsMax = 0.01
    options.cleanPauseSeconds = 0
    let committer = Committer(
      store: store, options: options,
      callbacks: Committer.Callbacks(
        committed: { _, _ in changed.signal() },
        cleaned: { number, _ in
          log.withLock { $0 = ($0.cleaned + [number], store.foldedTo) }
          changed.signal()
        }))
    committer.clean(through: 1)
    committer.submit(batch(1) { $0.put(score("a", 1, 1)) }, time: 1)
    changed.wait()
    changed.wait()
    committer.stop()
    #expect(log.withLock { $0.cleaned } == [1])
    #expect(log.withLock { $0.foldedTo } == 1)
    store.close()
  }

  @Test
  func aReaderOfOldPagesPutsItOff() throws {
    let test = try StoreUnderTest(.sqlite)
    try spread(test)
    try test.foldAll()
    guard let store = test.store as? SQLiteStore else { return }
    /// SQLite counts them so, besides changes of the schema, of which there are none here.
    func rewriteCount() throws -> Int64 {
      try store.tables.withSnapshot { connection, _ throws(StoreError) in
        try connection.integer("PRAGMA schema_version")
      }
    }
    let before = try rewriteCount()
    try store.tables.withSnapshot { connection, _ throws(StoreError) in
      try connection.run("SELECT count(*) FROM score")
      for _ in 0..<2 { #expect(throws: StoreError.self) { try store.clean() } }
    }
    #expect(try rewriteCount() == before + 1)
    try store.clean()
    #expect(try rewriteCount() == before + 1, "only the log was left to be copied back")
    #expect(try test.difference == nil)
    try test.commit { $0.put(score("a", 1, 1)) }
    try test.foldAll()
    try store.clean()
    #expect(try rewriteCount() == before + 2)
    #expect(try filesWithMarker(in: test.directory.path) == [])
  }

  @Test
  func cleaningsThatAreAskedForTogetherAreOne() {
    var pace = CleaningPace(pauseSeconds: 5)
    let start = ContinuousClock.now
    func due(_ seconds: [Int64]) -> [Int64] {
      seconds.filter { pace.isDue(at: start + .seconds($0)) }
    }
    #expect(due([0, 1, 4, 5]) == [5], "those that follow within five seconds are with the first")
    pace.ended(at: start + .seconds(35), after: .seconds(30))
    #expect(due([36, 64, 65]) == [65], "half of the time is for folding")
    pace.ended(at: start + .seconds(66), after: .seconds(1))
    #expect(due([100, 104, 105]) == [105])
  }
}
