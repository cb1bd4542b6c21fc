import Domain
import Foundation
import Storage
import Wire

/// Figures of the SQLite store on this machine's disk.
public struct Measurement {
  public var rowCount = 1_000_000
  public var rowsPerBatch = 256
  public var commitCount = 4_000

  public init() {}

  /// Fills a table, then measures commits, folds of random upserts, a load and cold reads.
  public func run(in parent: String, _ report: (String) -> Void) throws {
    let path = "\(parent)/muster-measure-\(UInt64.random(in: .min ... .max))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let store = try SQLiteStore(
      directory: path, name: "measure", tables: sampleTables,
      options: SQLiteOptions(createIfMissing: true))
    defer { store.close() }
    var random = SeededRandom(seed: 1)

    for first in stride(from: 0, to: rowCount, by: 20_000) {
      try commit(store, (first..<first + 20_000).map(Int64.init))
      while try store.fold() {}
    }
    let batches = (0..<commitCount).map { _ in
      (0..<rowsPerBatch).map { _ in Int64.random(in: 0..<Int64(rowCount), using: &random) }
    }
    let start = Date()
    for players in batches { try commit(store, players) }
    let seconds = -start.timeIntervalSinceNow
    let rows = commitCount * rowsPerBatch
    report(
      "\(rate(commitCount, seconds)) commits/s of \(rowsPerBatch) rows, "
        + "\(rate(rows, seconds)) rows/s; \(store.journalBytes >> 20) MiB of journal")

    let foldStart = Date()
    while try store.fold() {}
    report("fold: \(rate(rows, -foldStart.timeIntervalSinceNow)) rows/s into \(rowCount) rows")

    var count = 0
    let loadStart = Date()
    try store.load(sampleTables[0]) { _ in count += 1 }
    report("load: \(rate(count, -loadStart.timeIntervalSinceNow)) rows/s")
    try measureReads(store, report)
    for kind in ["journal.sqlite", "journal.sqlite-wal", "tables.sqlite", "tables.sqlite-wal"] {
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/measure.\(kind)")
      report("\(kind): \((attributes?[.size] as? Int ?? 0) >> 20) MiB")
    }
  }

  private func measureReads(_ store: SQLiteStore, _ report: (String) -> Void) throws {
    var changes = RowChanges()
    for number in 0..<10_000 {
      let key = AttemptRow.Key(player: UInt64(number / 10), number: Int64(number % 10))
      changes.put(AttemptRow(key, value: 1))
    }
    try store.commit(Batch(number: store.lastBatch + 1, changes: changes), time: 1)
    for state in ["unfolded", "folded"] {
      let start = Date()
      for player in 0..<UInt64(1_000) {
        let key = player.keyBytes
        _ = try store.read(
          ColdRange(table: AttemptRow.tableID, from: key, through: key, limit: 10))
      }
      report("cold reads of 10 rows, \(state): \(rate(1_000, -start.timeIntervalSinceNow))/s")
      while try store.fold() {}
    }
  }

  private func commit(_ store: SQLiteStore, _ players: [Int64]) throws {
    var changes = RowChanges()
    for player in players {
      var row = ScoreRow()
      row.key = .init(board: "board", player: player)
      row.score = player &* 31
      row.name = "player"
      changes.put(row)
    }
    try store.commit(Batch(number: store.lastBatch + 1, changes: changes), time: 1)
  }

  private func rate(_ count: Int, _ seconds: Double) -> Int { Int(Double(count) / seconds) }
}
