import Locking
import Domain
import Foundation
@testable import Storage
import StoreRounds
import TestKit
import Testing
import Wire

@Suite(.serialized, .endsAtLast)
struct CommitterTests {
  private func fastOptions() -> Committer.Options {
    var options = Committer.Options()
    options.fullRetrySeconds = 0.01
    options.foldDelaySecondsMax = 0.01
    return options
  }

  @Test
  func batchesAreCommittedInOrderAndFolded() {
    let store = MemoryStore(sampleTables)
    let log = Log()
    let committer = Committer(store: store, options: fastOptions(), callbacks: log.callbacks)
    for number in 1...50 {
      committer.submit(batch(UInt64(number)) { $0.put(score("a", 1, 1)) }, time: 1)
      log.wait { $0.outcomes.count == number }
    }
    #expect(log.state.outcomes.map(\.number) == Array(1...50))
    #expect(log.state.outcomes.allSatisfy { $0.error == nil })
    committer.stop()
    #expect(store.lastBatch == 50)
  }

  @Test
  func howLongAWriteTookIsKnownWhenItIsReported() {
    let store = SlowStore(milliseconds: 5)
    let log = Log()
    let committer = Committer(store: store, options: fastOptions(), callbacks: log.callbacks)
    #expect(committer.flushMicroseconds == 0)
    committer.submit(batch(1), time: 1)
    log.wait { $0.outcomes.count == 1 }
    #expect(committer.flushMicroseconds >= 5_000)
    committer.stop()
  }

  @Test
  func theNextBatchMayBeSubmittedFromTheCallback() {
    let store = MemoryStore(sampleTables)
    let log = Log()
    let box = Locked<Committer?>(nil)
    var callbacks = log.callbacks
    callbacks.committed = { number, result in
      if number < 20 { box.withLock { $0 }?.submit(batch(number + 1), time: 1) }
      log.callbacks.committed(number, result)
    }
    let committer = Committer(store: store, options: fastOptions(), callbacks: callbacks)
    box.withLock { $0 = committer }
    committer.submit(batch(1), time: 1)
    log.wait { $0.outcomes.count == 20 }
    committer.stop()
    box.withLock { $0 = nil }
    #expect(store.lastBatch == 20)
  }

  @Test
  func stoppingCommitsWhatWasSubmitted() {
    let store = MemoryStore(sampleTables)
    let log = Log()
    let committer = Committer(store: store, options: fastOptions(), callbacks: log.callbacks)
    committer.submit(batch(1), time: 1)
    #expect(committer.stop() == nil)
    #expect(log.state.outcomes.map(\.number) == [1])
    #expect(store.lastBatch == 1)
  }

  @Test
  func aFullDiskIsToldAndTriedAgain() {
    let disk = MemoryDisk()
    disk.failNext(.init(.full), count: 5)
    let log = Log()
    let committer = Committer(
      store: MemoryStore(sampleTables, on: disk), options: fastOptions(), callbacks: log.callbacks)
    committer.submit(batch(1) { $0.put(score("a", 1, 1)) }, time: 1)
    log.wait { !$0.outcomes.isEmpty }
    committer.stop()
    #expect(log.state.full == [true, false])
    #expect(log.state.outcomes.map(\.error) == [nil])
  }

  @Test
  func stoppingGivesUpOnAFullDisk() {
    let disk = MemoryDisk()
    disk.failNext(.init(.full), count: 100_000)
    let log = Log()
    let committer = Committer(
      store: MemoryStore(sampleTables, on: disk), options: fastOptions(), callbacks: log.callbacks)
    committer.submit(batch(1), time: 1)
    log.wait { $0.full == [true] }
    #expect(committer.stop() == 1)
    #expect(log.state.outcomes.map(\.error) == [.full])
  }

  @Test
  func anUnknownOutcomeIsToldOnceAndEndsIt() {
    let disk = MemoryDisk()
    disk.failNext(.init(.outcomeUnknown("test")))
    let log = Log()
    let committer = Committer(
      store: MemoryStore(sampleTables, on: disk), options: fastOptions(), callbacks: log.callbacks)
    committer.submit(batch(1), time: 1)
    log.wait { !$0.outcomes.isEmpty }
    committer.stop()
    #expect(log.state.outcomes.map(\.error) == [.outcomeUnknown("test")])
    #expect(log.state.foldErrors.isEmpty)
  }

  @Test
  func aFoldThatFailsIsTold() {
    let disk = MemoryDisk()
    disk.failAt(2, .init(.outcomeUnknown("fold")))
    let log = Log()
    let committer = Committer(
      store: MemoryStore(sampleTables, on: disk), options: fastOptions(), callbacks: log.callbacks)
    committer.submit(batch(1) { $0.put(score("a", 1, 1)) }, time: 1)
    log.wait { !$0.foldErrors.isEmpty }
    committer.stop()
    #expect(log.state.foldErrors == [.outcomeUnknown("fold")])
  }

  @Test
  func aLongJournalSlowsTheWriter() {
    let store = GatedStore(journalBytesMax: 500)
    var options = fastOptions()
    options.journalBytesMax = 500
    let log = Log()
    let committer = Committer(store: store, options: options, callbacks: log.callbacks)
    var number: UInt64 = 0
    while store.journalBytes <= 500 {
      number += 1
      committer.submit(batch(number) { $0.put(score("a", 1, 1)) }, time: 1)
      log.wait { $0.outcomes.count == Int(number) }
    }
    // This one must wait until the gate lets a fold through.
    committer.submit(batch(number + 1) { $0.put(score("a", 1, 1)) }, time: 1)
    store.waitUntilFoldIsAtTheGate()
    #expect(log.state.outcomes.count == Int(number))
    store.openGate()
    log.wait { $0.outcomes.count == Int(number) + 1 }
    committer.stop()
    #expect(!store.wasOverBound)
    #expect(log.state.outcomes.allSatisfy { $0.error == nil })
  }
}

/// What a committer said, and a way to wait for it.
private final class Log: Sendable {
  struct State {
    var outcomes: [(number: UInt64, error: StoreError?)] = []
    var full: [Bool] = []
    var foldErrors: [StoreError] = []
  }

  private let contents = Locked(State())
  private let changed = NSCondition()
  var state: State { contents.withLock { $0 } }

  var callbacks: Committer.Callbacks {
    .init(
      committed: { number, result in
        var error: StoreError?
        if case .failure(let failure) = result { error = failure }
        self.note { $0.outcomes.append((number, error)) }
      },
      storageFullChanged: { isFull in self.note { $0.full.append(isFull) } },
      foldFailed: { error in self.note { $0.foldErrors.append(error) } })
  }

  private func note(_ change: (inout State) -> Void) {
    contents.withLock { change(&$0) }
    changed.lock()
    changed.broadcast()
    changed.unlock()
  }

  func wait(until isDone: (State) -> Bool) {
    changed.lock()
    while !contents.withLock({ isDone($0) }) { changed.wait() }
    changed.unlock()
  }
}

/// A store whose folds wait at a gate, and which notes a commit past the journal's bound.
private final class GatedStore: Store {
  private struct State {
    var isOpen = false
    var isFoldWaiting = false
    var wasOverBound = false
  }

  private let inner = MemoryStore(sampleTables)
  private let journalBytesMax: Int
  private let state = Locked(State())
  private let changed = NSCondition()

  init(journalBytesMax: Int) { self.journalBytesMax = journalBytesMax }

  var wasOverBound: Bool { state.withLock { $0.wasOverBound } }

  func openGate() { note { $0.isOpen = true } }
  func waitUntilFoldIsAtTheGate() { wait { $0.isFoldWaiting } }

  private func note(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    changed.lock()
    changed.broadcast()
    changed.unlock()
  }

  private func wait(_ isDone: (State) -> Bool) {
    changed.lock()
    while !state.withLock({ isDone($0) }) { changed.wait() }
    changed.unlock()
  }

  var storeID: StoreID { inner.storeID }
  var lastBatch: UInt64 { inner.lastBatch }
  var lastTime: Int64 { inner.lastTime }
  var journalBytes: Int { inner.journalBytes }
  var foldedTo: UInt64 { inner.foldedTo }
  func clean(through number: UInt64) throws(StoreError) { try inner.clean(through: number) }

  func commit(_ batch: Batch, time: Int64) throws(StoreError) {
    if journalBytes > journalBytesMax { state.withLock { $0.wasOverBound = true } }
    try inner.commit(batch, time: time)
  }
  func load(_ table: TableDescription, _ each: (RawSpan) throws -> Void) throws {
    try inner.load(table, each)
  }
  func read(_ range: ColdRange) throws(StoreError) -> [[UInt8]] { try inner.read(range) }
  func fold() throws(StoreError) -> Bool {
    note { $0.isFoldWaiting = true }
    wait { $0.isOpen }
    return try inner.fold()
  }
  func close() { inner.close() }
}

/// A store that takes its time to write.
private final class SlowStore: Store {
  private let inner = MemoryStore(sampleTables)
  private let milliseconds: Int

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  var storeID: StoreID { inner.storeID }
  var lastBatch: UInt64 { inner.lastBatch }
  var lastTime: Int64 { inner.lastTime }
  var journalBytes: Int { inner.journalBytes }
  var foldedTo: UInt64 { inner.foldedTo }
  func clean(through number: UInt64) throws(StoreError) { try inner.clean(through: number) }
  func commit(_ batch: Batch, time: Int64) throws(StoreError) {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < end {}
    try inner.commit(batch, time: time)
  }
  func load(_ table: TableDescription, _ each: (RawSpan) throws -> Void) throws {
    try inner.load(table, each)
  }
  func read(_ range: ColdRange) throws(StoreError) -> [[UInt8]] { try inner.read(range) }
  func fold() throws(StoreError) -> Bool { try inner.fold() }
  func close() { inner.close() }
}
