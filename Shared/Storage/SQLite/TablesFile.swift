internal import Locking
import Domain
import Wire

/// The tables, in one file with typed columns that an operator can read with plain SQL at any time.
///
/// The folding thread writes through one connection. A read takes a connection out of a small pool.
final class TablesFile: Sendable {
  /// Idle connections that stay open for the next read; more are opened when more threads read at
  /// once, and closed after that.
  static let idleReadersMax = 4
  static let layout = [
    [
      "CREATE TABLE muster_meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
      "INSERT INTO muster_meta (name, value) VALUES ('format', \(StoreFormat.current))",
    ]
  ]

  let writer: SQLiteConnection
  let schemas: [UInt16: TableSchema]
  private let options: SQLiteOptions
  /// The idle reading connections; nil when the store is closed.
  private let idleReaders = Locked<[SQLiteConnection]?>([])

  init(_ path: String, _ options: SQLiteOptions, _ tables: [TableDescription]) throws(StoreError) {
    self.options = options
    writer = try .writer(path, options, isExclusive: false)
    try writer.run("PRAGMA cache_size = \(-(options.tablesCacheBytesMax >> 10))")
    // The write-ahead log is copied back after a fold that made it longer than 16 MiB (4,096
    // pages).
    try writer.run("PRAGMA wal_autocheckpoint = 4096")
    try writer.run("PRAGMA journal_size_limit = \(64 << 20)")
    var schemas: [UInt16: TableSchema] = [:]
    for table in tables { schemas[table.id] = try TableSchema(table) }
    self.schemas = schemas
  }

  /// Whether the file has no layout yet.
  var isEmpty: Bool {
    get throws(StoreError) { try writer.integer("PRAGMA user_version") == 0 }
  }

  /// Throws when the rows have a format that this version does not read. Nothing has changed in the
  /// files then, and nothing changes when they are closed.
  /// - Parameter hadLog: whether the file had a write-ahead log before it was opened.
  func checkFormat(hadLog: Bool) throws(StoreError) {
    do throws(StoreError) {
      try Self.checkFormat(of: writer)
    } catch {
      if hadLog { writer.keepLog() }
      throw error
    }
  }

  static func checkFormat(of connection: SQLiteConnection) throws(StoreError) {
    var found = StoreFormat.unnamed
    if let cell = try connection.meta("format") {
      guard let number = UInt16(cell: cell) else {
        throw .corrupt("\(connection.path) does not say which format it has")
      }
      found = Int(number)
    }
    let known = StoreFormat.oldestKnown...StoreFormat.current
    if known.contains(found) { return }
    throw found < known.lowerBound
      ? .olderFormat(found: found, known: known)
      : .newerSchema(found: found, known: known)
  }

  /// Creates what the file lacks: its layout, and the tables and columns that the service has now.
  func prepare() throws(StoreError) {
    try writer.migrate(Self.layout)
    // All tables are looked at before one is changed: a newer store is left as it is.
    var missing: [String] = []
    for schema in schemas.values { missing += try Self.statements(toMatch: schema, in: writer) }
    try Self.checkTables(of: writer, schemas.values.map(\.description))
    for statement in missing { try writer.run(statement) }
    try writer.settle()
  }

  /// Throws when the file has tables that this version does not know: their rows would be left out
  /// without a word, and the journal may have more of them.
  static func checkTables(of connection: SQLiteConnection, _ tables: [TableDescription])
    throws(StoreError)
  {
    let known = Set(tables.flatMap { [$0.name, $0.formerName ?? $0.name] } + ["muster_meta"])
    var unknown: [String] = []
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    try connection.query(sql) {
      statement throws(StoreError) in
      // SQLite's own begin with its name.
      if case .text(let name) = statement.cell(0), !known.contains(name),
        !name.hasPrefix("sqlite_")
      {
        unknown.append(name)
      }
      return true
    }
    if !unknown.isEmpty { throw .unknownTables(unknown) }
  }

  /// Returns what creates a table, or gives it the name that it has now and adds the columns that
  /// it lacks; existing rows get the columns' defaults.
  static func statements(toMatch schema: TableSchema, in connection: SQLiteConnection)
    throws(StoreError) -> [String]
  {
    let name = schema.description.name
    var stored = try columns(of: name, in: connection)
    var renaming: [String] = []
    if stored.isEmpty, let former = schema.description.formerName {
      stored = try columns(of: former, in: connection)
      renaming = ["ALTER TABLE \(former) RENAME TO \(name)"]
    }
    if stored.isEmpty { return [schema.create] }
    let columns = schema.description.columns
    let found = stored.dropFirst(schema.firstColumn)
    if found.count > columns.count {
      throw .newerTable(name, found: found.count, known: columns.count)
    }
    for (index, column) in found.enumerated()
    where column != (schema.names[index], columns[index].type.rawValue) {
      throw .corrupt(
        "table \(name) has a column \(column.name) \(column.type) "
          + "where \(schema.names[index]) \(columns[index].type.rawValue) belongs")
    }
    let added = found.count..<columns.count
    if added.contains(where: { columns[$0].isKey }) {
      throw .corrupt("table \(name) lacks a part of its key")
    }
    return renaming + added.map(schema.addColumn)
  }

  /// None where there is no such table.
  private static func columns(of table: String, in connection: SQLiteConnection)
    throws(StoreError) -> [(name: String, type: String)]
  {
    var columns: [(name: String, type: String)] = []
    try connection.query("SELECT name, type FROM pragma_table_info(?1)", [.text(table)]) {
      statement throws(StoreError) in
      guard case .text(let column) = statement.cell(0), case .text(let type) = statement.cell(1)
      else { return false }
      columns.append((column, type))
      return true
    }
    return columns
  }

  var foldedTo: UInt64 { get throws(StoreError) { try Self.foldedTo(of: writer) } }

  var foldedTime: Int64 { get throws(StoreError) { try Self.foldedTime(of: writer) } }

  static func foldedTo(of connection: SQLiteConnection) throws(StoreError) -> UInt64 {
    UInt64(cell: try connection.meta("folded_to") ?? .null) ?? 0
  }

  static func foldedTime(of connection: SQLiteConnection) throws(StoreError) -> Int64 {
    Int64(cell: try connection.meta("folded_time") ?? .null) ?? 0
  }

  /// Writes changes and, in the same transaction, the number and time of the batch that they go up
  /// to.
  /// - Parameter changes: the last change of each key, ordered by table and key.
  func fold(_ changes: [RowChange], to number: UInt64, time: Int64) throws(StoreError) {
    try writer.transaction { () throws(StoreError) in
      for change in changes {
        guard let schema = schemas[change.table] else {
          throw .corrupt("the journal names table \(change.table), which is not known")
        }
        try schema.write(change, to: writer)
      }
      try writer.setMeta("folded_to", number.cell)
      try writer.setMeta("folded_time", .integer(time))
    }
  }

  /// Lends `body` a connection that sees one state of the tables, and the number of the last batch
  /// that is folded into that state.
  func withSnapshot<Value>(_ body: (SQLiteConnection, UInt64) throws(StoreError) -> Value)
    throws(StoreError) -> Value
  {
    let connection = try takeReader()
    do throws(StoreError) {
      try connection.run("BEGIN")
      let foldedTo = UInt64(cell: try connection.meta("folded_to") ?? .null) ?? 0
      let value = try body(connection, foldedTo)
      try connection.run("COMMIT")
      giveBack(connection)
      return value
    } catch {
      connection.close()
      throw error
    }
  }

  private func takeReader() throws(StoreError) -> SQLiteConnection {
    let (idle, isClosed) = idleReaders.withLock { ($0?.popLast(), $0 == nil) }
    if isClosed { throw .other("it is closed") }
    if let idle { return idle }
    return try SQLiteConnection(writer.path, vfs: options.vfs, isReadOnly: true)
  }

  private func giveBack(_ connection: SQLiteConnection) {
    let staysOpen = idleReaders.withLock { readers in
      guard let count = readers?.count, count < Self.idleReadersMax else { return false }
      readers?.append(connection)
      return true
    }
    if !staysOpen { connection.close() }
  }

  func close() {
    let idle = idleReaders.withLock { readers in
      defer { readers = nil }
      return readers ?? []
    }
    for connection in idle { connection.close() }
    writer.close()
  }
}
