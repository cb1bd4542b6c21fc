import Domain
public import Wire

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension SQLiteStore {
  /// Throws what would keep the store from being opened, as far as that can be seen from outside:
  /// nothing is opened to be written, made or changed, and the process that has the store open goes
  /// on.
  public static func look(directory: String, name: String, partition: Partition)
    throws(StoreError)
  {
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
      if !isSettled { return }
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
      if files.exists("\(files.journal)-wal") { return }
      throw .corrupt("\(files.journal) holds no journal")
    }
    if let id = try tables.meta("store_id"), let other = try journal.meta("store_id"), id != other {
      throw .corrupt("\(files.journal) is the journal of another store")
    }
  }
}
