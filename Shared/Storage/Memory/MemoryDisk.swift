internal import Locking
import Domain
public import Wire

/// Holds the rows of a `MemoryStore` apart from the store itself, so that a test can "crash" the
/// store: drop it and open another one on the same disk. A test also asks the disk to make calls
/// fail.
public final class MemoryDisk: Sendable {
  /// How a call fails, and what it leaves behind.
  public struct Fault: Sendable {
    public var error: StoreError
    /// Whether the batch is written although the call fails; looked at only for `.outcomeUnknown`.
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
    /// The size in bytes of each batch that is not folded, oldest first.
    var unfolded: [Int] = []
    var tables: [UInt16: SortedRows<[UInt8]>] = [:]
    var calls = 0
    var faults: [Int: Fault] = [:]
    /// How often the disk was opened: the number of the newest store on it. Older stores are dead.
    var openings = 0
  }

  let contents: Locked<Contents>

  public init(storeID: StoreID? = nil) {
    var generator = SystemRandomNumberGenerator()
    contents = Locked(Contents(storeID: storeID ?? .arbitrary(using: &generator)))
  }

  /// Commits and folds so far; `failAt` counts on from here.
  public var calls: Int { contents.withLock { $0.calls } }

  /// Makes the commit or fold with this number fail. The first call of the disk's life has number
  /// 1.
  public func failAt(_ call: Int, _ fault: Fault) {
    contents.withLock { $0.faults[call] = fault }
  }

  /// Makes the next `count` commits and folds fail.
  public func failNext(_ fault: Fault, count: Int = 1) {
    contents.withLock { contents in
      for offset in 1...max(1, count) { contents.faults[contents.calls + offset] = fault }
    }
  }
}

extension MemoryDisk.Contents {
  /// Counts a call and returns the fault that was asked for it; nil when it should work.
  mutating func nextFault() -> MemoryDisk.Fault? {
    calls += 1
    return faults.removeValue(forKey: calls)
  }

  /// - Parameter writtenOnce: the tables of `Row.isWrittenOnce`, of which a fold takes their word.
  mutating func apply(_ changes: [RowChange], writtenOnce: Set<UInt16>) {
    for change in changes {
      switch change.kind {
      case .put:
        precondition(
          !writtenOnce.contains(change.table) || tables[change.table]?[change.key] == nil,
          "a row of table \(change.table) is put over itself")
        tables[change.table, default: SortedRows()][change.key] = change.bytes
      case .remove: tables[change.table, default: SortedRows()][change.key] = nil
      }
    }
  }
}
