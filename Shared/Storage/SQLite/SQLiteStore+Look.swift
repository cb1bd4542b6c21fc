public import Domain
public import Wire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What can be told of a store from outside.
public enum StoreLook: Equatable, Sendable {
  /// - Parameter lastTime: of the last batch, in milliseconds since 1970; 0 where there is none.
  case whole(lastTime: Int64)
  /// What was written last is in a write-ahead log, which the next start reads.
  case hidden
}

extension SQLiteStore {
  /// Throws what would keep the store from being opened, as far as that can be seen from outside:
  /// nothing is opened to be written, made or changed, and the process that has the store open goes
  /// on.
  public static func look(
    directory: String, name: String, partition: Partition, tables descriptions: [TableDescription]
  ) throws(StoreError) -> StoreLook {
    let files = StoreFiles(directory: directory, name: name)
    guard files.exists(files.tables) else {
      if files.exists(files.journal) { throw .incomplete(missing: files.tables) }
      throw .missing("\(directory)/\(name)")
    }
    for (path, mode) in [
      (directory, R_OK | W_OK | X_OK), (files.tables, R_OK | W_OK), (files.journal, R_OK | W_OK),
    ] where files.exists(path) {
      if unsafe access(path, mode) != 0 { throw .system(path) }
    }
    // What was written last is in the write-ahead log, if a process has the store open or has been
    // killed. Then the files are told to be whole by their next start alone.
    let isSettled = !files.exists("\(files.tables)-wal")
    let tables = try SQLiteConnection(files.tables, vfs: nil, isLook: true)
    if try tables.integer("PRAGMA user_version") == 0 {
      if !isSettled { return .hidden }
      throw files.exists(files.journal)
        ? .corrupt("\(files.tables) is empty") : .missing(files.tables)
    }
    try TablesFile.checkFormat(of: tables)
    if isSettled, try tables.meta("complete") == nil { throw .missing(files.journal) }
    if !files.exists(files.journal) { throw .incomplete(missing: files.journal) }
    let isNamed = try tables.meta("partition") != nil
    if isSettled || isNamed {
      try OpenedFiles.checkPartition(partition, tables, isComplete: true)
    }
    let journal = try SQLiteConnection(files.journal, vfs: nil, isLook: true)
    if try journal.integer("PRAGMA user_version") == 0 {
      if files.exists("\(files.journal)-wal") { return .hidden }
      throw .corrupt("\(files.journal) holds no journal")
    }
    if let id = try tables.meta("store_id"), let other = try journal.meta("store_id"), id != other {
      throw .corrupt("\(files.journal) is the journal of another store")
    }
    if !isSettled { return .hidden }
    try checkTables(tables, descriptions)
    if files.exists("\(files.journal)-wal") { return .hidden }
    return .whole(lastTime: try lastTime(tables, journal))
  }

  private static func checkTables(
    _ tables: SQLiteConnection, _ descriptions: [TableDescription]
  ) throws(StoreError) {
    for table in descriptions {
      _ = try TablesFile.statements(toMatch: try TableSchema(table), in: tables)
    }
    try TablesFile.checkTables(of: tables, descriptions)
  }

  /// Reads the journal as a start does.
  private static func lastTime(_ tables: SQLiteConnection, _ journal: SQLiteConnection)
    throws(StoreError) -> Int64
  {
    let foldedTo = try TablesFile.foldedTo(of: tables)
    let newest = UInt64(try journal.integer("SELECT ifnull(max(number), 0) FROM journal"))
    try OpenedFiles.checkEnd(newest: newest, foldedTo)
    var time = try TablesFile.foldedTime(of: tables)
    try JournalFile.forEach(of: journal, after: foldedTo) { time = $0.time }
    return time
  }
}
