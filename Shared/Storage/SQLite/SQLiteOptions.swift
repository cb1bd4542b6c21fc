public import Wire

/// How an SQLite store is opened.
public struct SQLiteOptions: Sendable {
  /// How much a commit waits for. With the power, `normal` loses acknowledged batches and `off` also
  /// breaks files; they are here for the tests that must notice it.
  package enum Synchronous: String, Sendable {
    case full = "FULL"
    case normal = "NORMAL"
    case off = "OFF"
  }

  /// Makes the directory and the files when there is no store. Otherwise that is an error: an empty
  /// store in place of a lost one would look as if nothing had ever happened.
  public var createIfMissing = false
  /// The partition whose rows the store holds. A new store remembers it, one from before there was
  /// such a record takes it on, and any other that does not match is refused.
  public var partition = Partition.whole
  public var foldBytesMax = StorageLimits.foldBytesMax
  /// Pages of the tables that the folding connection keeps in memory: those that many changes share.
  /// The others of a step are spread over more pages than any cache, and the system keeps them.
  public var tablesCacheBytesMax = 16 << 20
  package var synchronous = Synchronous.full
  /// The name of an SQLite file system that is registered already; nil for the usual one.
  package var vfs: String?

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

extension Connection {
  /// Opens a file for writing in the way that both files of a store share.
  static func writer(_ path: String, _ options: SQLiteOptions, isExclusive: Bool)
    throws(StoreError) -> Connection
  {
    let connection = try Connection(path, vfs: options.vfs)
    if isExclusive { try connection.run("PRAGMA locking_mode = EXCLUSIVE") }
    guard try connection.value("PRAGMA journal_mode = WAL") == .text("wal") else {
      throw .other("\(path) cannot have a write-ahead log")
    }
    try connection.run("PRAGMA synchronous = \(options.synchronous.rawValue)")
    // Distributions switch it on; it would write every freed page once more.
    try connection.run("PRAGMA secure_delete = OFF")
    return connection
  }

  /// Copies the write-ahead log into its file, so that what a start has read is also on the disk: a
  /// log that was written but, by an error, not synced, could otherwise still be lost.
  func settle() throws(StoreError) {
    do throws(StoreError) {
      try run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      // On a full disk reads must go on, and the log stays where it is.
      if error != .full { throw error }
    }
  }

  /// Brings a file to the newest layout; each step is one transaction.
  func migrate(_ steps: [[String]]) throws(StoreError) {
    let found = Int(try integer("PRAGMA user_version"))
    if found > steps.count { throw .newerSchema(found: found, known: steps.count) }
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
