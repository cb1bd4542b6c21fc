import Domain
import Storage
import StoreRounds
import Testing

@Suite(.serialized)
struct FaultTests {
  /// Fails the first call of the file system, then the second, until a run needs no more calls.
  @Test(arguments: [FaultyDisk.Fault.inputOutput, .full])
  func everyCallMayFail(_ fault: FaultyDisk.Fault) throws {
    var call = 1
    while try StoreRound.failNth(call, fault) { call += 1 }
    print("\(fault): each of \(call - 1) calls failed once")
    #expect(call > 50, "the fault was not at work")
  }

  /// A name that was not synced by the first process is there for the second one, and is lost
  /// later.
  @Test
  func theCreationMayBeCutShort() throws {
    var call = 1
    while try StoreRound.killInCreation(at: call) { call += 1 }
    print("killed once at each of \(call - 1) calls of the creation")
    #expect(call > 20, "the fault was not at work")
  }

  @Test
  func noAcknowledgedBatchIsLostWithThePower() throws {
    var acknowledged = 0
    for seed in 1...25 {
      acknowledged += try StoreRound.powerLoss(seed: UInt64(seed)).acknowledged
    }
    #expect(acknowledged > 500)
  }

  /// The rounds prove something only if they notice a store that does not wait for the disk.
  @Test(arguments: StoreRound.Care.lacking)
  func theCanaryDies(_ care: StoreRound.Care) {
    let hasLoss = (1...25).contains { seed in
      (try? StoreRound.powerLoss(seed: UInt64(seed), care)) == nil
    }
    #expect(hasLoss)
  }

  @Test
  func theMemoryDiskFailsOnCommand() throws {
    let disk = MemoryDisk()
    let store = MemoryStore(sampleTables, on: disk)
    disk.failNext(.init(.full))
    #expect(throws: StoreError.full) { try store.commit(batch(1), time: 1) }
    try store.commit(batch(1), time: 1)
    disk.failAt(disk.calls + 2, .init(.outcomeUnknown("test"), isWritten: true))
    try store.commit(batch(2), time: 2)
    #expect(throws: StoreError.outcomeUnknown("test")) { try store.commit(batch(3), time: 3) }
    #expect(throws: StoreError.outcomeUnknown("test")) { try store.commit(batch(3), time: 3) }
    let reopened = MemoryStore(sampleTables, on: disk)
    #expect(reopened.lastBatch == 3)
    disk.failNext(.init(.outcomeUnknown("test")))
    #expect(throws: StoreError.outcomeUnknown("test")) { try reopened.commit(batch(4), time: 4) }
    #expect(MemoryStore(sampleTables, on: disk).lastBatch == 3)
  }
}
