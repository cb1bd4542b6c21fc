internal import Locking
public import Domain
public import Wire

/// A store without files: for tests, for the simulation and for stacks that may forget.
///
/// A batch is applied to the tables at once. Folding only reduces the count of unfolded batches, so
/// that a test can see how the service handles a long journal without a disk.
public final class MemoryStore: Store {
  /// The most batches that one `fold` counts as folded.
  static let foldCountMax = 64

  private let disk: MemoryDisk
  private let tables: [UInt16: Residence]
  private let writtenOnce: Set<UInt16>
  /// Which opening of the disk this store is.
  private let opening: Int
  private let failure = Locked<StoreError?>(nil)
  public let storeID: StoreID

  /// Opens the disk. From then on, commits fail on every store that had it open before.
  public init(_ tables: [TableDescription], on disk: MemoryDisk = MemoryDisk()) {
    self.disk = disk
    self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.id, $0.residence) })
    writtenOnce = Set(tables.filter(\.isWrittenOnce).map(\.id))
    (opening, storeID) = disk.contents.withLock { contents in
      contents.openings += 1
      return (contents.openings, contents.storeID)
    }
  }

  public var lastBatch: UInt64 { disk.contents.withLock { $0.lastBatch } }
  public var lastTime: Int64 { disk.contents.withLock { $0.lastTime } }
  public var journalBytes: Int { disk.contents.withLock { $0.unfolded.reduce(0, +) } }

  public func commit(_ batch: Batch, time: Int64) throws(StoreError) {
    try checkUsable()
    let changes = try check(batch.changes, tables).map(batch.changes.change(at:))
    let fault = try disk.contents.withLock { contents throws(StoreError) -> MemoryDisk.Fault? in
      guard contents.openings == opening else {
        throw .other("another store has opened this disk")
      }
      if batch.number <= contents.lastBatch { return nil }
      try checkFollows(batch.number, contents.lastBatch)
      let fault = contents.nextFault()
      if let fault, fault.error == .full || !fault.isWritten { return fault }
      contents.apply(changes, writtenOnce: writtenOnce)
      contents.unfolded.append(batch.changes.bytes.count)
      contents.lastBatch = batch.number
      contents.lastTime = time
      return fault
    }
    try fail(fault)
  }

  public func load(_ table: TableDescription, _ each: (RawSpan) throws -> Void) throws {
    try checkUsable()
    let rows = disk.contents.withLock { $0.tables[table.id] } ?? SortedRows()
    var thrown: (any Error)?
    rows.forEach(from: [], until: nil) { entry in
      do {
        let row = entry.value
        try unsafe each(row.span.bytes)
        return true
      } catch {
        thrown = error
        return false
      }
    }
    if let thrown { throw thrown }
  }

  public func read(_ range: ColdRange) throws(StoreError) -> [[UInt8]] {
    try checkUsable()
    try check(range, tables)
    let rows = disk.contents.withLock { $0.tables[range.table] } ?? SortedRows()
    var found: [[UInt8]] = []
    rows.forEach(from: range.from, until: range.end, descending: range.isDescending) { entry in
      guard found.count < range.limit else { return false }
      found.append(entry.value)
      return true
    }
    return found
  }

  public func fold() throws(StoreError) -> Bool {
    try checkUsable()
    let (fault, hasMore) = disk.contents.withLock { contents in
      if contents.unfolded.isEmpty { return (MemoryDisk.Fault?.none, false) }
      if let fault = contents.nextFault() { return (fault, true) }
      contents.unfolded.removeFirst(min(Self.foldCountMax, contents.unfolded.count))
      return (nil, !contents.unfolded.isEmpty)
    }
    try fail(fault)
    return hasMore
  }

  public var foldedTo: UInt64 {
    disk.contents.withLock { $0.lastBatch - UInt64($0.unfolded.count) }
  }

  /// There are no files.
  public func clean(through number: UInt64) throws(StoreError) { try checkUsable() }

  public func close() {
    failure.withLock { $0 = $0 ?? .other("it is closed") }
  }

  private func checkUsable() throws(StoreError) {
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Throws the fault's error, if there is one. After any error but `.full` every later call throws
  /// the same error.
  private func fail(_ fault: MemoryDisk.Fault?) throws(StoreError) {
    guard let fault else { return }
    if fault.error != .full { failure.withLock { $0 = fault.error } }
    throw fault.error
  }
}
