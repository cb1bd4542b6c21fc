import Domain
import Storage

/// Why a round failed, with what repeats it.
public struct RoundFailure: Error, CustomStringConvertible {
  public var description: String
}

/// A store on a faulty disk, and the model of what it must hold.
///
/// `model` has everything that was acknowledged. `inFlight` is a batch that was sent and not
/// acknowledged: after a failure it must be there wholly or not at all.
public final class StoreRound {
  public let disk = FaultyDisk()
  public private(set) var model = Model()
  public private(set) var acknowledged = 0
  public private(set) var folds = 0
  private var inFlight: (batch: Batch, time: Int64)?
  private var batches: RandomBatches
  private let directory = TemporaryDirectory("round", inMemory: true)
  private let care: Care
  private var store: SQLiteStore?

  /// What the store syncs: all that it has to or, for the rounds that must notice a loss, less.
  package struct Care: Sendable {
    var synchronous = SQLiteOptions.Synchronous.full
    var syncsNames = true
    package var name: String

    package static let whole = Care(name: "all")
    package static let lacking = [
      Care(synchronous: .normal, name: "batches only when it folds"),
      Care(synchronous: .off, name: "nothing in its files"),
      Care(syncsNames: false, name: "no names"),
    ]
  }

  package init(seed: UInt64, _ care: Care = .whole) {
    batches = RandomBatches(seed: seed)
    self.care = care
  }

  func random(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &batches.random) }
  func nextSeed() -> UInt64 { batches.random.next() }

  func open() throws(StoreError) {
    // Once something was acknowledged, a store that is gone must be noticed.
    var options = SQLiteOptions(
      createIfMissing: model.lastBatch == 0, vfs: disk.name, synchronous: care.synchronous,
      foldBytesMax: 4096)
    options.names = FaultyNames(disk: disk.name, syncs: care.syncsNames)
    store = try SQLiteStore(
      directory: directory.path, name: "round", tables: sampleTables, options: options)
  }

  func close() {
    store?.close()
    store = nil
  }

  func commit() throws {
    let (batch, time) = inFlight ?? batches.next(after: model)
    inFlight = (batch, time)
    try store?.commit(batch, time: time)
    try acknowledge()
  }

  func fold() throws {
    _ = try store?.fold()
    folds += 1
  }

  func clean() throws {
    do {
      try store?.clean()
    } catch StoreError.inUse {
      throw RoundFailure(description: "the files are not cleaned, though nobody reads them")
    }
  }

  func read() throws {
    let range = batches.range()
    guard let store, try store.read(range) != model.read(range) else { return }
    throw RoundFailure(description: "a read of \(range) differs before any failure")
  }

  private func acknowledge() throws {
    guard let (batch, time) = inFlight else { return }
    try model.apply(batch, time: time)
    acknowledged += 1
    inFlight = nil
  }

  /// Opens the store on a disk that works, and compares it with the model. If it holds the batch in
  /// flight, the model takes that batch too.
  func openAndCheck() throws {
    do {
      try open()
    } catch {
      throw RoundFailure(description: "the store does not open: \(error)")
    }
    guard let store else { return }
    if let inFlight, store.lastBatch == inFlight.batch.number { try acknowledge() }
    inFlight = nil
    if let difference = try model.difference(from: store, sampleTables) {
      throw RoundFailure(description: "after opening: \(difference)")
    }
  }
}
