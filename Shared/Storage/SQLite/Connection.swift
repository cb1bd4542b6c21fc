import CSQLite
import Wire

/// One connection to one SQLite file, with its prepared statements.
///
/// The one `@unchecked Sendable` of this module. A connection is made on one thread and may move to
/// others, but only one uses it at a time: the journal's and the writer's are used under
/// `SQLiteStore.committing` and `.folding`, a reader's by whoever has taken it out of the pool.
/// SQLite itself is asked for its serialized mode, so that a breach would be slow, not unsafe; but for
/// readers, which are shared by nothing but the pool, and whose locks would be a third of a start.
@safe
final class Connection: @unchecked Sendable {
  let path: String
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var isClosed = false

  init(_ path: String, vfs: String?, isReadOnly: Bool = false) throws(StoreError) {
    self.path = path
    let mode =
      isReadOnly
      ? SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX : SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, mode, vfs)
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

  deinit { close() }

  func close() {
    if isClosed { return }
    isClosed = true
    for statement in statements.values { statement.finalize() }
    statements = [:]
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs a statement for its effect.
  func run(_ sql: String, _ cells: [Cell] = []) throws(StoreError) {
    try query(sql, cells) { _ throws(StoreError) in true }
  }

  /// Runs a statement and hands its rows to `each` until it returns false.
  func query(
    _ sql: String, _ cells: [Cell] = [], _ each: (Statement) throws(StoreError) -> Bool
  ) throws(StoreError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    for (index, cell) in cells.enumerated() {
      try check(statement.bind(cell, at: index + 1))
    }
    while true {
      let code = statement.step()
      if code == SQLITE_DONE { return }
      if code != SQLITE_ROW { throw failure(code) }
      guard try each(statement) else { return }
    }
  }

  /// The first column of the first row.
  func value(_ sql: String, _ cells: [Cell] = []) throws(StoreError) -> Cell? {
    var found: Cell?
    try query(sql, cells) { statement throws(StoreError) in
      found = statement.cell(0)
      return false
    }
    return found
  }

  func integer(_ sql: String, _ cells: [Cell] = []) throws(StoreError) -> Int64 {
    if case .integer(let value) = try value(sql, cells) { return value }
    return 0
  }

  /// Runs `body` in a transaction. When it fails, nothing of it is left; when not even that is
  /// certain, the error says so.
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
          throw .outcomeUnknown("\(error.text) Then it could not be undone: \(second.text)")
        }
      }
      throw error
    }
  }

  private func prepare(_ sql: String) throws(StoreError) -> Statement {
    if let known = statements[sql] { return known }
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
  /// What an SQLite result code means to a caller.
  init(code: Int32, _ message: String) {
    // The wal-index could not grow: SQLite calls a full disk this when it happens there.
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
