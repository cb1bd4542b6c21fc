import Domain
import Wire

/// The opened files of a store, which was there whole or was created.
///
/// A store is created in this order, each step durable before the next: the tables file with the
/// store's format, id and partition; the journal with the same id; the mark `complete` in the
/// tables file. A store without the mark never took a batch, so its creation is simply begun again,
/// names that a process made and did not come to sync included. A store with the mark must have
/// both files.
struct OpenedFiles {
  let lock: StoreLock
  let journal: JournalFile
  let storeID: StoreID
  let tables: TablesFile

  init(_ files: StoreFiles, _ descriptions: [TableDescription], _ options: SQLiteOptions)
    throws(StoreError)
  {
    if !files.exists(files.tables) {
      if files.exists(files.journal) { throw .incomplete(missing: files.tables) }
      if !options.createIfMissing { throw .missing("\(files.directory)/\(files.name)") }
      try files.createDirectory()
    }
    if !files.exists(files.lock) { try options.names.createFile(files.lock) }
    lock = try StoreLock(files.lock)
    if !files.exists(files.tables) { try files.create(files.tables) }
    let hadLog = files.exists("\(files.tables)-wal")
    let tables = try TablesFile(files.tables, options, descriptions)
    let isEmpty = try tables.isEmpty
    if !isEmpty { try tables.checkFormat(hadLog: hadLog) }
    let hasJournal = files.exists(files.journal)
    if isEmpty && hasJournal { throw .corrupt("\(files.tables) is empty") }
    if isEmpty && !options.createIfMissing { throw .missing(files.tables) }
    try tables.prepare()
    let isComplete = try tables.writer.meta("complete") != nil
    if isComplete && !hasJournal { throw .incomplete(missing: files.journal) }
    if !isComplete && !options.createIfMissing { throw .missing(files.journal) }
    storeID = try Self.storeID(tables.writer)
    try Self.checkPartition(options.partition, tables.writer, isComplete: isComplete)
    if !isComplete { try files.sync() }
    if !hasJournal { try files.create(files.journal) }
    journal = try JournalFile(files.journal, options, isNew: !isComplete, storeID: storeID)
    if !isComplete { try tables.writer.setMeta("complete", .integer(1)) }
    self.tables = tables
  }

  private static func storeID(_ writer: SQLiteConnection) throws(StoreError) -> StoreID {
    if let cell = try writer.meta("store_id") {
      guard let id = StoreID(cell: cell) else { throw .corrupt("\(writer.path) has no store id") }
      return id
    }
    var generator = SystemRandomNumberGenerator()
    let id = StoreID.arbitrary(using: &generator)
    try writer.setMeta("store_id", id.cell)
    return id
  }

  /// Compares the wanted partition with the one that the store remembers. A store whose creation
  /// was cut short takes the wanted one: it holds no rows yet.
  static func checkPartition(
    _ wanted: Partition, _ writer: SQLiteConnection, isComplete: Bool
  ) throws(StoreError) {
    guard isComplete else { return try writer.setMeta("partition", .text(wanted.description)) }
    guard case .text(let text)? = try writer.meta("partition"), let found = Partition(text) else {
      throw .corrupt("\(writer.path) does not say which partition it belongs to")
    }
    if found != wanted { throw .otherPartition(found: found, wanted: wanted) }
  }

  /// Commits delete folded batches but never the newest, so a journal that ends earlier than the
  /// tables was put here from another time.
  static func checkEnd(newest: UInt64, _ foldedTo: UInt64) throws(StoreError) {
    if newest > 0 && newest < foldedTo {
      throw .corrupt("the journal ends at batch \(newest), before the tables' \(foldedTo)")
    }
  }

  /// Reads the batches of the journal that are not in the tables yet.
  func readTail(_ foldedTo: UInt64) throws(StoreError) -> JournalTail {
    try Self.checkEnd(newest: try journal.newestBatch(), foldedTo)
    var tail = JournalTail(foldedTo: foldedTo, time: try tables.foldedTime)
    let residences = tables.schemas.mapValues(\.description.residence)
    try journal.forEach(after: foldedTo) { entry throws(StoreError) in
      do throws(StoreError) {
        try check(entry.changes, residences)
      } catch {
        throw .corrupt("batch \(entry.number) of the journal: \(error.text)")
      }
      tail.append(entry)
    }
    return tail
  }
}
