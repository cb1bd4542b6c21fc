internal import Locking
import Domain
import Wire

/// The tables: typed columns, one file, readable by an operator with plain SQL at any time.
///
/// The folding thread writes through one connection; reads take one out of a small pool.
final class TablesFile: Sendable {
  /// Connections that are kept for the next read; more are opened when more threads read at once.
  static let readersKeptMax = 4
  static let layout = [
    ["CREATE TABLE muster_meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID"]
  ]

  let writer: Connection
  let schemas: [UInt16: TableSchema]
  private let options: SQLiteOptions
  /// Idle connections; nil when the store is closed.
  private let readers = Locked<[Connection]?>([])

  init(_ path: String, _ options: SQLiteOptions, _ tables: [TableDescription]) throws(StoreError) {
    self.options = options
    writer = try .writer(path, options, isExclusive: false)
    try writer.run("PRAGMA cache_size = \(-(options.tablesCacheBytesMax >> 10))")
    // The log is copied back after each fold that made it longer than 16 MiB.
    try writer.run("PRAGMA wal_autocheckpoint = 4096")
    try writer.run("PRAGMA journal_size_limit = \(64 << 20)")
    var schemas: [UInt16: TableSchema] = [:]
    for table in tables { schemas[table.id] = try TableSchema(table) }
    self.schemas = schemas
  }

  /// Whether the file was ever laid out.
  var isEmpty: Bool {
    get throws(StoreError) { try writer.integer("PRAGMA user_version") == 0 }
  }

  /// Lays the file out, and brings it to the tables that the service has now.
  func prepare() throws(StoreError) {
    try writer.migrate(Self.layout)
    for schema in schemas.values { try matchColumns(schema) }
    try writer.settle()
  }

  /// Creates a table, or adds the columns that it lacks; rows that are there get their defaults.
  private func matchColumns(_ schema: TableSchema) throws(StoreError) {
    var stored: [(name: String, type: String)] = []
    let name = schema.description.name
    try writer.query("SELECT name, type FROM pragma_table_info(?1)", [.text(name)]) {
      statement throws(StoreError) in
      guard case .text(let column) = statement.cell(0), case .text(let type) = statement.cell(1)
      else { return false }
      stored.append((column, type))
      return true
    }
    if stored.isEmpty { return try writer.run(schema.create) }
    let columns = schema.description.columns
    let found = stored.dropFirst(schema.firstColumn)
    if found.count > columns.count {
      throw .newerSchema(found: found.count, known: columns.count)
    }
    for (index, column) in found.enumerated()
    where column != (schema.names[index], columns[index].type.rawValue) {
      throw .corrupt(
        "table \(name) has a column \(column.name) \(column.type) "
          + "where \(schema.names[index]) \(columns[index].type.rawValue) belongs")
    }
    for index in found.count..<columns.count {
      if columns[index].isKey { throw .corrupt("table \(name) lacks a part of its key") }
      try writer.run(schema.addColumn(index))
    }
  }

  var foldedTo: UInt64 {
    get throws(StoreError) { UInt64(cell: try writer.meta("folded_to") ?? .null) ?? 0 }
  }

  var foldedTime: Int64 {
    get throws(StoreError) { Int64(cell: try writer.meta("folded_time") ?? .null) ?? 0 }
  }

  /// Writes the last change of each key, in the order of tables and keys, and how far that goes.
  func fold(_ changes: [RowChange], to number: UInt64, time: Int64) throws(StoreError) {
    try writer.transaction { () throws(StoreError) in
      for change in changes {
        guard let schema = schemas[change.table] else {
          throw .corrupt("the journal names a table \(change.table) that is not known")
        }
        let sql = change.kind == .put ? schema.put : schema.remove
        try writer.run(sql, try schema.cells(change))
      }
      try writer.setMeta("folded_to", number.cell)
      try writer.setMeta("folded_time", .integer(time))
    }
  }

  /// Lends a connection that sees one state of the tables, and how far that state is folded.
  func withSnapshot<Value>(_ body: (Connection, UInt64) throws(StoreError) -> Value)
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

  private func takeReader() throws(StoreError) -> Connection {
    let (kept, isClosed) = readers.withLock { ($0?.popLast(), $0 == nil) }
    if isClosed { throw .other("it is closed") }
    if let kept { return kept }
    return try Connection(writer.path, vfs: options.vfs, isReadOnly: true)
  }

  private func giveBack(_ connection: Connection) {
    let isKept = readers.withLock { readers in
      guard let count = readers?.count, count < Self.readersKeptMax else { return false }
      readers?.append(connection)
      return true
    }
    if !isKept { connection.close() }
  }

  func close() {
    let idle = readers.withLock { readers in
      defer { readers = nil }
      return readers ?? []
    }
    for connection in idle { connection.close() }
    writer.close()
  }
}
