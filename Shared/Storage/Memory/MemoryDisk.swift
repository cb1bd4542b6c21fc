internal import Locking
import Domain
public import Wire

/// What a `MemoryStore` keeps, apart from the store, so that it outlives a "crash": drop the store
/// and open another on the same disk. Also the place to make calls fail.
public final class MemoryDisk: Sendable {
  /// What a failing call leaves behind.
  public struct Fault: Sendable {
    public var error: StoreError
    /// For `.outcomeUnknown`: whether the batch was written all the same.
    public var isWritten: Bool

    public init(_ error: StoreError, isWritten: Bool = false) {
      self.error = error
      self.isWritten = isWritten
    }
  }

  struct Contents {
    var storeID: StoreID
    var lastBatch: UInt64 = 0
    var lastTime: Int64 = 0
    /// Sizes of the batches that are not folded, oldest first.
    var unfolded: [Int] = []
    var tables: [UInt16: SortedRows<[UInt8]>] = [:]
    var calls = 0
    var faults: [Int: Fault] = [:]
    /// The life of the disk on which the newest store was opened; older stores are dead.
    var opened = 0
  }

  let contents: Locked<Contents>

  public init(storeID: StoreID? = nil) {
    var generator = SystemRandomNumberGenerator()
    contents = Locked(Contents(storeID: storeID ?? .arbitrary(using: &generator)))
  }

  /// Commits and folds so far: the count on which `failAt` counts.
  public var calls: Int { contents.withLock { $0.calls } }

  /// Makes the commit or fold with this number (from 1) fail.
  public func failAt(_ call: Int, _ fault: Fault) {
    contents.withLock { $0.faults[call] = fault }
  }

  /// Makes the next `count` commits and folds fail.
  public func failNext(_ fault: Fault, count: Int = 1) {
    contents.withLock { contents in
      for offset in 1...max(1, count) { contents.faults[contents.calls + offset] = fault }
    }
  }

  public func heal() {
    contents.withLock { $0.faults = [:] }
  }
}

extension MemoryDisk.Contents {
  /// Counts a call and gives its fault.
  mutating func nextFault() -> MemoryDisk.Fault? {
    calls += 1
    return faults.removeValue(forKey: calls)
  }

  mutating func apply(_ changes: [RowChange]) {
    for change in changes {
      switch change.kind {
      case .put: tables[change.table, default: SortedRows()][change.key] = change.bytes
      case .remove: tables[change.table, default: SortedRows()][change.key] = nil
      }
    }
  }
}
