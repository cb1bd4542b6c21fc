internal import Locking
public import Domain
public import Wire

/// The embedded store: a journal file and a tables file of SQLite in one directory.
///
/// Durability rests on this order. A batch is in the journal and synced before `commit` returns. It
/// is in the tables and synced, together with `folded_to`, before its journal row may be deleted.
/// So at every instant tables and journal together hold everything up to `lastBatch`. A fold that
/// was cut short is repeated.
public final class SQLiteStore: Store {
  public let storeID: StoreID
  let residences: [UInt16: Residence]
  private let writtenOnce: Set<UInt16>
  let tables: TablesFile
  private let journal: JournalFile
  private let lock: StoreLock
  private let options: SQLiteOptions
  let tail: Locked<JournalTail>
  /// What reads have taken from the tail, by cold table. It is locked before `tail`, and commits do
  /// not wait for it.
  let overlays = Locked<[UInt16: ColdOverlay]>([:])
  private let closing = Locked(false)
  /// Locked during a commit. It holds the oldest batch that the journal file may still have, and
  /// the error after which no commit is possible.
  private let committing: Locked<(oldest: UInt64, failure: StoreError?)>
  /// Locked during a fold. It holds the newest batch that was in the tables when their file was
  /// last rewritten.
  private let folding = Locked<UInt64>(0)

  /// Opens the store `name` in a directory, or creates it when the options say so.
  public init(
    directory: String, name: String, tables descriptions: [TableDescription],
    options: SQLiteOptions = SQLiteOptions()
  ) throws(StoreError) {
    let opened = try OpenedFiles(
      StoreFiles(directory: directory, name: name, names: options.names), descriptions, options)
    let foldedTo = try opened.tables.foldedTo
    let tail = try opened.readTail(foldedTo)
    let oldest = try opened.journal.oldestBatch()
    residences = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.id, $0.residence) })
    writtenOnce = Set(descriptions.filter(\.isWrittenOnce).map(\.id))
    storeID = opened.storeID
    journal = opened.journal
    lock = opened.lock
    self.options = options
    self.tail = Locked(tail)
    committing = Locked((oldest, nil))
    tables = opened.tables
  }

  public var lastBatch: UInt64 { tail.withLock { $0.lastBatch } }
  public var lastTime: Int64 { tail.withLock { $0.lastTime } }
  public var journalBytes: Int { tail.withLock { $0.bytes } }
  public var unfoldedSince: Int64? { tail.withLock { $0.entries.first?.time } }

  public func commit(_ batch: Batch, time: Int64) throws(StoreError) {
    try committing.withLock { state throws(StoreError) in
      if let failure = state.failure { throw failure }
      let (last, foldedTo) = tail.withLock { ($0.lastBatch, $0.foldedTo) }
      if batch.number <= last { return }
      try checkFollows(batch.number, last)
      try check(batch.changes, residences)
      let oldest = max(state.oldest, 1)
      let trim = min(foldedTo, oldest + JournalFile.trimCountMax - 1)
      do throws(StoreError) {
        try journal.append(batch, time: time, trimFrom: oldest, trimThrough: trim)
      } catch {
        if error == .full { throw error }
        // The batch may or may not be in the file. If a later commit wrote the same number with
        // other changes, both could count as acknowledged, so no commit is allowed any more.
        let failure = StoreError.outcomeUnknown(error.text)
        state.failure = failure
        throw failure
      }
      state.oldest = max(oldest, trim + 1)
      tail.withLock {
        $0.append(.init(number: batch.number, time: time, changes: batch.changes))
      }
    }
  }

  public func fold() throws(StoreError) -> Bool {
    try folding.withLock { _ throws(StoreError) in
      if closing.withLock({ $0 }) { throw .other("it is closed") }
      let step = tail.withLock { $0.front(bytesMax: options.foldBytesMax) }
      guard let newest = step.last else { return false }
      let changes = try coalesced(step, writtenOnce: writtenOnce)
      try tables.fold(changes, to: newest.number, time: newest.time)
      return forget(to: newest.number)
    }
  }

  public var foldedTo: UInt64 { tail.withLock { $0.foldedTo } }

  public func clean(through number: UInt64) throws(StoreError) {
    try folding.withLock { rewrittenTo throws(StoreError) in
      if closing.withLock({ $0 }) { throw .other("it is closed") }
      let folded = foldedTo
      if number > folded { throw .other("batch \(number) is not in the tables") }
      if rewrittenTo < number {
        try tables.writer.rewrite()
        rewrittenTo = folded
      }
      try tables.writer.truncateLog()
    }
    try committing.withLock { state throws(StoreError) in
      if let failure = state.failure { throw failure }
      let (last, foldedTo) = tail.withLock { ($0.lastBatch, $0.foldedTo) }
      // The newest batch stays: the journal must not end before the tables.
      let folded = min(foldedTo, max(last, 1) - 1)
      do throws(StoreError) {
        try journal.clean(through: folded)
      } catch {
        if case .outcomeUnknown = error { state.failure = error }
        throw error
      }
      state.oldest = max(state.oldest, folded + 1)
    }
  }

  /// Forgets batches that are in the tables now. Returns whether there are others.
  ///
  /// The overlays go as a whole, since finding the folded rows in them would take longer than
  /// taking again what is left, and readers would wait. Tail and overlays go at once, so that no
  /// read takes a folded batch again. What was forgotten is freed when nobody waits any more.
  private func forget(to number: UInt64) -> Bool {
    let (isEmpty, _) = overlays.withLock { overlays in
      let forgotten = overlays
      overlays = [:]
      let isEmpty = tail.withLock { tail in
        tail.dropFolded(to: number)
        return tail.entries.isEmpty
      }
      return (isEmpty, forgotten)
    }
    return !isEmpty
  }

  public func close() {
    let wasClosed = closing.withLock { isClosing in
      defer { isClosing = true }
      return isClosing
    }
    if wasClosed { return }
    folding.withLock { _ in
      committing.withLock { state in
        state.failure = state.failure ?? .other("it is closed")
        journal.connection.close()
      }
      tables.close()
    }
    lock.release()
  }
}
