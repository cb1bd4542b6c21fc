import Locking
import Domain
import Foundation
@testable import Storage
import StoreRounds
import TestKit
import Testing
import Wire

/// Reads while one thread commits and another one folds.
@Suite(.serialized, .endsAtLast)
struct SnapshotTests {
  private static let rowCount = 12
  private static let batchCount: UInt64 = 400

  @Test
  func theOldestBatchThatIsNotFoldedIsKnownByItsTime() throws {
    let directory = TemporaryDirectory("unfolded", inMemory: true)
    let store = try openSQLite(directory, SQLiteOptions(createIfMissing: true, vfs: nil))
    #expect(store.unfoldedSince == nil)
    try store.commit(Self.batch(1), time: 11)
    try store.commit(Self.batch(2), time: 12)
    #expect(store.unfoldedSince == 11 && store.journalBytes > 0)
    while try store.fold() {}
    #expect(store.unfoldedSince == nil)
    try store.commit(Self.batch(3), time: 13)
    #expect(store.unfoldedSince == 13)
    store.close()
  }

  /// Each batch sets all rows to its own number. A read that sees two numbers has seen part of a
  /// batch.
  @Test
  func aReadSeesWholeBatches() throws {
    let directory = TemporaryDirectory("snapshot", inMemory: true)
    let store = try openSQLite(
      directory, SQLiteOptions(createIfMissing: true, vfs: nil, foldBytesMax: 2_000))
    try store.commit(Self.batch(1), time: 1)
    let isDone = Locked(false)
    let faults = Locked<[String]>([])
    let reads = Locked(0)
    let group = DispatchGroup()
    func start(_ body: @escaping @Sendable () throws -> Void) {
      group.enter()
      Thread {
        do {
          try body()
        } catch {
          faults.withLock { $0.append("\(error)") }
        }
        group.leave()
      }.start()
    }
    start {
      defer { isDone.withLock { $0 = true } }
      // As slow as the readers are at first.
      while reads.withLock({ $0 }) == 0 && faults.withLock({ $0.isEmpty }) { sched_yield() }
      for number in 2...Self.batchCount { try store.commit(Self.batch(number), time: 1) }
    }
    start { while !isDone.withLock({ $0 }) { _ = try store.fold() } }
    for isDescending in [false, true] {
      start {
        while !isDone.withLock({ $0 }) {
          let last = store.lastBatch
          let values = try Self.values(store, isDescending)
          let isWhole = values.count == Self.rowCount && Set(values).count == 1
          let isFresh = (values.first ?? 0) >= Int64(last)
          if !isWhole || !isFresh { faults.withLock { $0.append("\(last): \(values)") } }
          reads.withLock { $0 += 1 }
        }
      }
    }
    group.wait()
    #expect(faults.withLock { $0 }.isEmpty)
    #expect(reads.withLock { $0 } > 0)
    #expect(try Self.values(store, false).allSatisfy { $0 == Int64(Self.batchCount) })
    store.close()
  }

  private static func batch(_ number: UInt64) -> Batch {
    var changes = RowChanges()
    for row in 0..<rowCount {
      changes.put(AttemptRow(.init(player: 1, number: Int64(row)), value: Int64(number)))
    }
    return Batch(number: number, changes: changes)
  }

  private static func values(_ store: SQLiteStore, _ isDescending: Bool) throws -> [Int64] {
    let key = UInt64(1).keyBytes
    let range = ColdRange(
      table: AttemptRow.tableID, from: key, through: key, limit: 100, isDescending: isDescending)
    return try store.read(range).map { try AttemptRow(decoding: $0).value }
  }
}
