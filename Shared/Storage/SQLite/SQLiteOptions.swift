public import Wire

/// How an SQLite store is opened.
public struct SQLiteOptions: Sendable {
  /// What a commit waits for. When the power fails, `normal` loses acknowledged batches and `off`
  /// breaks files as well. They exist for the tests that must notice such losses.
  package enum Synchronous: String, Sendable {
    case full = "FULL"
    case normal = "NORMAL"
    case off = "OFF"
  }

  /// Whether a missing store is created, with its directory. If not, a missing store is an error:
  /// an empty store in place of a lost one would look as if nothing had ever happened.
  public var createIfMissing = false
  /// The partition whose rows the store holds: it is written down when the store is made, and a
  /// store of another one is refused.
  public var partition = Partition.whole
  public var foldBytesMax = StorageLimits.foldBytesMax
  /// Bytes of table pages that the folding connection keeps in memory. That is enough for the pages
  /// that many changes share. The other changes of a step are spread over more pages than any cache
  /// would hold; those stay in the system's file cache.
  public var tablesCacheBytesMax = 16 << 20
  package var synchronous = Synchronous.full
  /// The name of a registered SQLite file system (VFS); nil for the usual one.
  package var vfs: String?
  /// Makes the names of files and directories.
  package var names: any FileNames = SystemFileNames()

  public init(createIfMissing: Bool = false, partition: Partition = .whole) {
    self.createIfMissing = createIfMissing
    self.partition = partition
  }

  package init(
    createIfMissing: Bool = false, vfs: String?, synchronous: Synchronous = .full,
    foldBytesMax: Int = StorageLimits.foldBytesMax
  ) {
    self.createIfMissing = createIfMissing
    self.vfs = vfs
    self.synchronous = synchronous
    self.foldBytesMax = foldBytesMax
  }
}

extension SQLiteConnection {
  /// Opens a file for writing, with the settings that both files of a store share.
  static func writer(_ path: String, _ options: SQLiteOptions, isExclusive: Bool)
    throws(StoreError) -> SQLiteConnection
  {
    let connection = try SQLiteConnection(path, vfs: options.vfs)
    if isExclusive { try connection.run("PRAGMA locking_mode = EXCLUSIVE") }
    guard try connection.value("PRAGMA journal_mode = WAL") == .text("wal") else {
      throw .other("\(path) cannot have a write-ahead log")
    }
    try connection.run("PRAGMA synchronous = \(options.synchronous.rawValue)")
    // Some distributions switch it on. It writes every freed page once more, with zeros.
    try connection.run("PRAGMA secure_delete = OFF")
    return connection
  }

  /// Copies the write-ahead log into its file, so that everything that a start has read is on the
  /// disk. Otherwise a log that was written, but because of an error never synced, could be read
  /// now and lost later.
  func settle() throws(StoreError) {
    do throws(StoreError) {
      try run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      // On a full disk the log stays where it is, and reads must work all the same.
      if error != .full { throw error }
    }
  }

  /// Writes the file anew into its write-ahead log. Nothing is left of what was deleted when that
  /// is copied back: see `truncateLog`.
  ///
  /// `secure_delete` would not do: it leaves copies of rows in pages from which balancing has moved
  /// them. Of 600 deleted rows of a table 2 to 4 were still found in the file.
  func rewrite() throws(StoreError) { try run("VACUUM") }

  /// Copies the write-ahead log into its file and empties it. Throws `.inUse` while a reader needs
  /// what is there.
  func truncateLog() throws(StoreError) {
    var isBusy = false
    try query("PRAGMA wal_checkpoint(TRUNCATE)") { statement throws(StoreError) in
      isBusy = statement.integer(0) != 0
      return true
    }
    if isBusy { throw .inUse("\(path) is read, and its write-ahead log stays") }
  }

  /// Brings a file to the newest layout. Each step is a list of statements in one transaction, and
  /// `user_version` counts the steps that were taken.
  func migrate(_ steps: [[String]]) throws(StoreError) {
    let found = Int(try integer("PRAGMA user_version"))
    if found > steps.count { throw .newerSchema(found: found, known: 1...steps.count) }
    for version in found..<steps.count {
      try transaction { () throws(StoreError) in
        for statement in steps[version] { try run(statement) }
        try run("PRAGMA user_version = \(version + 1)")
      }
    }
  }

  func meta(_ name: String) throws(StoreError) -> Cell? {
    try value("SELECT value FROM muster_meta WHERE name = ?1", [.text(name)])
  }

  func setMeta(_ name: String, _ cell: Cell) throws(StoreError) {
    try run(
      "INSERT OR REPLACE INTO muster_meta (name, value) VALUES (?1, ?2)", [.text(name), cell])
  }
}
