import Domain
import Wire

/// The journal: one row for each batch.
///
/// Only the committing thread uses the file while the store runs: folding takes its rows from
/// `JournalTail`, in memory. So the file's one connection locks it exclusively, which needs no
/// shared memory and no reader can keep the write-ahead log from being reused.
///
/// Folded rows are deleted a few at a time, in the transactions of later commits, because a
/// transaction of their own would cost a sync.
struct JournalFile: Sendable {
  /// The most folded rows that one commit deletes: more than the one it adds, so that the file does
  /// not grow for ever.
  static let trimCountMax: UInt64 = 16
  private static let layout = [
    [
      """
      CREATE TABLE journal (number INTEGER PRIMARY KEY, format INTEGER NOT NULL,
        time INTEGER NOT NULL, changes BLOB NOT NULL)
      """,
      "CREATE TABLE muster_meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    ]
  ]

  let connection: SQLiteConnection

  /// - Parameter isNew: the store is being created; otherwise an empty file is an error.
  init(_ path: String, _ options: SQLiteOptions, isNew: Bool, storeID: StoreID) throws(StoreError) {
    connection = try .writer(path, options, isExclusive: true)
    // The write-ahead log is copied back at about 4 MiB (1,000 pages), and its file is cut to 16
    // MiB after a long one.
    try connection.run("PRAGMA wal_autocheckpoint = 1000")
    try connection.run("PRAGMA journal_size_limit = \(16 << 20)")
    let isEmpty = try connection.integer("PRAGMA user_version") == 0
    if isEmpty && !isNew { throw .corrupt("\(path) holds no journal") }
    try connection.migrate(Self.layout)
    if isNew { try connection.setMeta("store_id", storeID.cell) }
    guard try connection.meta("store_id") == storeID.cell else {
      throw .corrupt("\(path) is the journal of another store")
    }
    try connection.settle()
  }

  /// Writes a batch and deletes the folded ones from `trimFrom` through `trimThrough`, in one
  /// transaction.
  func append(_ batch: Batch, time: Int64, trimFrom: UInt64, trimThrough: UInt64)
    throws(StoreError)
  {
    try connection.transaction { () throws(StoreError) in
      try connection.run(
        "INSERT INTO journal (number, format, time, changes) VALUES (?1, ?2, ?3, ?4)",
        [
          batch.number.cell, .integer(Int64(RowChanges.format)), .integer(time),
          .blob(batch.changes.bytes),
        ])
      if trimFrom <= trimThrough {
        try connection.run(
          "DELETE FROM journal WHERE number BETWEEN ?1 AND ?2",
          [trimFrom.cell, trimThrough.cell])
      }
    }
  }

  /// Deletes the batches through `number`, and leaves nothing of any that was deleted.
  func clean(through number: UInt64) throws(StoreError) {
    try connection.run("DELETE FROM journal WHERE number <= ?1", [number.cell])
    try connection.rewrite()
    try connection.truncateLog()
  }

  /// The number of the oldest batch in the file; 0 when there is none.
  func oldestBatch() throws(StoreError) -> UInt64 {
    UInt64(try connection.integer("SELECT ifnull(min(number), 0) FROM journal"))
  }

  /// The number of the newest batch in the file; 0 when there is none.
  func newestBatch() throws(StoreError) -> UInt64 {
    UInt64(try connection.integer("SELECT ifnull(max(number), 0) FROM journal"))
  }

  /// Calls `each` for every batch after `number`, in order. Throws `.corrupt` when one is missing
  /// between them.
  func forEach(
    after number: UInt64, _ each: (JournalTail.Entry) throws(StoreError) -> Void
  ) throws(StoreError) {
    try Self.forEach(of: connection, after: number, each)
  }

  static func forEach(
    of connection: SQLiteConnection, after number: UInt64,
    _ each: (JournalTail.Entry) throws(StoreError) -> Void
  ) throws(StoreError) {
    var last = number
    try connection.query(
      "SELECT number, time, format, changes FROM journal WHERE number > ?1 ORDER BY number",
      [number.cell]
    ) { statement throws(StoreError) in
      let entry = JournalTail.Entry(
        number: UInt64(statement.integer(0)), time: statement.integer(1),
        changes: RowChanges(bytes: statement.bytes(3)))
      let format = Int(statement.integer(2))
      let known = Int(RowChanges.format)
      guard format == known else { throw .newerSchema(found: format, known: known...known) }
      guard entry.number == last + 1 else {
        throw .corrupt("\(connection.path) lacks batch \(last + 1)")
      }
      last = entry.number
      try each(entry)
      return true
    }
  }
}
