import CSQLite
import Wire

/// One connection to one SQLite file, with its prepared statements.
///
/// This is the one `@unchecked Sendable` of this module. A connection is made on one thread and may
/// move to others, but only one thread uses it at a time. The journal's connection is used under
/// `SQLiteStore.committing`, the tables' writing connection under `.folding`, and a reading one by
/// the thread that has taken it out of the pool.
///
/// Writing connections use SQLite's serialized mode, so that a breach of this would be slow and not
/// unsafe. Reading ones do not: only the pool shares them, and the mode's locks would take a third
/// of the time of a start.
@safe
final class SQLiteConnection: @unchecked Sendable {
  let path: String
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  /// The last one that was asked for. A fold runs the same one for many rows in a row, whose text
  /// is not hashed again then.
  private var latest: (sql: String, statement: Statement)?
  private var isClosed = false

  /// - Parameter isLook: the file alone is read, as it is: without its write-ahead log, and without
  ///   a trace, also while others write.
  init(
    _ path: String, vfs: String?, isReadOnly: Bool = false, isLook: Bool = false
  ) throws(StoreError) {
    self.path = path
    let mode =
      isReadOnly || isLook
      ? SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX : SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX
    var opened: OpaquePointer?
    let name = isLook ? Self.immutable(path) : path
    let code = unsafe sqlite3_open_v2(
      name, &opened, isLook ? mode | SQLITE_OPEN_URI : mode, vfs)
    guard let opened = unsafe opened else { throw .other("no memory to open \(path)") }
    unsafe handle = opened
    if code != SQLITE_OK {
      let error = failure(code)
      close()
      throw error
    }
    unsafe sqlite3_extended_result_codes(opened, 1)
    unsafe sqlite3_busy_timeout(opened, 5_000)
  }

  /// A file that nobody is said to change: SQLite takes no lock then, and makes no file beside it.
  private static func immutable(_ path: String) -> String {
    let escaped = path.map { character in
      switch character {
      case "%": "%25"
      case "?": "%3f"
      case "#": "%23"
      default: String(character)
      }
    }
    return "file:\(escaped.joined())?immutable=1"
  }

  deinit { close() }

  func close() {
    if isClosed { return }
    isClosed = true
    for statement in statements.values { statement.finalize() }
    (statements, latest) = ([:], nil)
    unsafe sqlite3_close_v2(handle)
  }

  /// Leaves the write-ahead log as it is when the connection closes, instead of copying it into the
  /// file.
  func keepLog() { unsafe muster_sqlite_keep_log(handle) }

  /// Runs a statement and drops what it returns.
  func run(_ sql: String, _ cells: [Cell] = []) throws(StoreError) {
    try query(sql, cells) { _ throws(StoreError) in true }
  }

  /// Runs a statement and hands its rows to `each` until it returns false.
  func query(
    _ sql: String, _ cells: [Cell] = [], _ each: (Statement) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try query(sql) { statement in
      for (index, cell) in cells.enumerated() {
        let code = statement.bind(cell, at: index + 1)
        if code != SQLITE_OK { return code }
      }
      return SQLITE_OK
    } each: {
      statement throws(StoreError) in
      try each(statement)
    }
  }

  /// Runs a statement with values that `bind` lends to it, and drops what it returns.
  ///
  /// - Parameter bind: returns the code of the first call that failed.
  func run(_ sql: String, binding bind: (Statement) throws(StoreError) -> Int32)
    throws(StoreError)
  {
    try query(sql, binding: bind) { _ throws(StoreError) in true }
  }

  private func query(
    _ sql: String, binding bind: (Statement) throws(StoreError) -> Int32,
    each: (Statement) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try check(try bind(statement))
    while true {
      let code = statement.step()
      if code == SQLITE_DONE { return }
      if code != SQLITE_ROW { throw failure(code) }
      guard try each(statement) else { return }
    }
  }

  /// Returns the first column of the first row; nil when there is no row.
  func value(_ sql: String, _ cells: [Cell] = []) throws(StoreError) -> Cell? {
    var found: Cell?
    try query(sql, cells) { statement throws(StoreError) in
      found = statement.cell(0)
      return false
    }
    return found
  }

  /// Returns the integer in the first column of the first row; 0 when there is none.
  func integer(_ sql: String, _ cells: [Cell] = []) throws(StoreError) -> Int64 {
    if case .integer(let value) = try value(sql, cells) { return value }
    return 0
  }

  /// Runs `body` in a transaction and rolls back when it fails. When the rollback fails too, throws
  /// `.outcomeUnknown`.
  func transaction(_ begin: String = "BEGIN IMMEDIATE", _ body: () throws(StoreError) -> Void)
    throws(StoreError)
  {
    do throws(StoreError) {
      try run(begin)
      try body()
      try run("COMMIT")
    } catch {
      if unsafe sqlite3_get_autocommit(handle) == 0 {
        do throws(StoreError) {
          try run("ROLLBACK")
        } catch let second {
          throw .outcomeUnknown("\(error.text) Then the rollback failed: \(second.text)")
        }
      }
      throw error
    }
  }

  /// Returns the prepared statement of this text; it is prepared at its first use.
  private func prepare(_ sql: String) throws(StoreError) -> Statement {
    if let latest, latest.sql == sql { return latest.statement }
    if let known = statements[sql] {
      latest = (sql, known)
      return known
    }
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try check(unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil))
    guard let prepared = unsafe prepared else { throw .other("an empty statement") }
    let statement = unsafe Statement(prepared)
    statements[sql] = statement
    return statement
  }

  private func check(_ code: Int32) throws(StoreError) {
    if code != SQLITE_OK { throw failure(code) }
  }

  private func failure(_ code: Int32) -> StoreError {
    let extended = unsafe sqlite3_extended_errcode(handle)
    let message = unsafe String(cString: sqlite3_errmsg(handle))
    return StoreError(code: extended == SQLITE_OK ? code : extended, "\(path): \(message)")
  }
}

extension StoreError {
  /// Maps an SQLite result code to what the caller can do about it.
  init(code: Int32, _ message: String) {
    // SQLite reports a full disk under this code (SQLITE_IOERR_SHMSIZE) when the index of the
    // write-ahead log could not grow.
    let indexIsFull = SQLITE_IOERR | (19 << 8)
    switch (code, code & 0xff) {
    case (indexIsFull, _), (_, SQLITE_FULL): self = .full
    case (_, SQLITE_CORRUPT), (_, SQLITE_NOTADB): self = .corrupt(message)
    case (_, SQLITE_BUSY), (_, SQLITE_LOCKED): self = .inUse(message)
    case (_, SQLITE_IOERR): self = .outcomeUnknown("\(message), code \(code)")
    default: self = .other("\(message), code \(code)")
    }
  }
}
