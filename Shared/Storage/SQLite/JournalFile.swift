import Domain
import Wire

/// The journal: one row for each batch.
///
/// Only the committing thread uses the file while the store runs (the unfolded tail is also in
/// memory, from where it is folded), so its one connection locks it for itself: no shared memory,
/// and no reader that could keep the write-ahead log from being reused. Folded rows are deleted a
/// few at a time by the commits that follow, in their own transactions, which costs no sync.
struct JournalFile: Sendable {
  /// Folded rows that one commit deletes: more than it adds, so that the file does not grow.
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

  let connection: Connection

  /// - Parameter isNew: the store is being created; otherwise the file must be one already.
  init(_ path: String, _ options: SQLiteOptions, isNew: Bool, storeID: StoreID) throws(StoreError) {
    connection = try .writer(path, options, isExclusive: true)
    // A log of about 4 MiB, and a file that does not stay larger after a long one.
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

  /// The number of the oldest row; 0 when there is none.
  func oldest() throws(StoreError) -> UInt64 {
    UInt64(try connection.integer("SELECT ifnull(min(number), 0) FROM journal"))
  }

  func newest() throws(StoreError) -> UInt64 {
    UInt64(try connection.integer("SELECT ifnull(max(number), 0) FROM journal"))
  }

  /// The rows after `number`, in order and without a gap.
  func forEach(
    after number: UInt64, _ each: (JournalTail.Entry) throws(StoreError) -> Void
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
      guard format == Int(RowChanges.format) else {
        throw .newerSchema(found: format, known: Int(RowChanges.format))
      }
      guard entry.number == last + 1 else {
        throw .corrupt("\(connection.path) lacks batch \(last + 1)")
      }
      last = entry.number
      try each(entry)
      return true
    }
  }
}
