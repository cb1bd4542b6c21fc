import Domain
import Foundation
import Storage
import StoreRounds
import Testing
import Wire

/// The stores that the contract is tested on.
enum Backend: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case memory
  case sqlite

  var testDescription: String { rawValue }
}

/// One store that can be closed and opened again.
final class StoreUnderTest {
  private let backend: Backend
  /// Small, so that a fold of some batches leaves others in the journal.
  private static let foldBytesMax = 2_000

  private let disk = MemoryDisk()
  let directory = TemporaryDirectory("contract")
  private(set) var store: any Store
  var model = Model()

  init(_ backend: Backend) throws {
    self.backend = backend
    store = try Self.open(backend, disk, directory)
  }

  func reopen() throws {
    store.close()
    store = try Self.open(backend, disk, directory)
  }

  /// Commits the next batch with these changes, in the store and in the model.
  func commit(_ change: (inout RowChanges) -> Void) throws {
    var changes = RowChanges()
    change(&changes)
    let batch = Batch(number: model.lastBatch + 1, changes: changes)
    try commit(batch, time: model.lastTime + 1)
  }

  func commit(_ batch: Batch, time: Int64) throws {
    try store.commit(batch, time: time)
    try model.apply(batch, time: time)
  }

  func foldAll() throws {
    while try store.fold() {}
  }

  var difference: String? {
    get throws { try model.difference(from: store, sampleTables) }
  }

  private static func open(_ backend: Backend, _ disk: MemoryDisk, _ directory: TemporaryDirectory)
    throws -> any Store
  {
    switch backend {
    case .memory: MemoryStore(sampleTables, on: disk)
    case .sqlite:
      try openSQLite(
        directory,
        SQLiteOptions(createIfMissing: true, vfs: nil, foldBytesMax: foldBytesMax))
    }
  }
}

func openSQLite(
  _ directory: TemporaryDirectory, _ options: SQLiteOptions = SQLiteOptions(),
  tables: [TableDescription] = sampleTables
) throws(StoreError) -> SQLiteStore {
  try SQLiteStore(directory: directory.path, name: "test", tables: tables, options: options)
}

/// A score row whose fields follow from its key and one number.
func score(_ board: String, _ player: Int64, _ value: Int64) -> ScoreRow {
  var row = ScoreRow()
  row.key = .init(board: board, player: player)
  row.score = value
  row.name = "player \(player) 🎲"
  row.note = value.isMultiple(of: 2) ? nil : "odd"
  row.accuracy = Double(value) / 3
  row.session = .max
  return row
}

func batch(_ number: UInt64, _ change: (inout RowChanges) -> Void = { _ in }) -> Batch {
  var changes = RowChanges()
  change(&changes)
  return Batch(number: number, changes: changes)
}
