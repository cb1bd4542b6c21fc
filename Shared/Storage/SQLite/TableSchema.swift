import Domain
import Wire

/// Translates a table's description into SQL.
///
/// The primary key of a resident table are the columns of its key. The primary key of a cold table
/// is the encoded key, in a column of its own before the others: ranges follow the order of encoded
/// keys, and SQL orders texts and negative numbers differently.
struct TableSchema: Sendable {
  static let encodedKeyColumn = "encoded_key"

  let description: TableDescription
  /// The columns' names in the file. Where several fields have one name, a number is added.
  let names: [String]
  /// The value of each column in a row that is older than the column.
  let defaults: [Cell]
  let put: String
  let remove: String
  let selectAll: String
  private let selectRange: String
  /// The form of each column, in an array of its own because reading and writing a row need little
  /// else.
  let forms: [ColumnForm]
  let keyColumnCount: Int
  private let primaryKey: String
  /// Whether each column goes on with the message of the one before it.
  let isContinued: [Bool]

  let isCold: Bool
  /// The index of the first described column among the columns of a `SELECT`.
  var firstColumn: Int { isCold ? 1 : 0 }

  init(_ description: TableDescription) throws(StoreError) {
    let isCold = description.residence == .cold
    self.description = description
    self.isCold = isCold
    forms = description.columns.map(\.form)
    keyColumnCount = description.keyColumnCount
    isContinued = description.columns.map(\.isContinued)
    names = Self.distinct(description.columns.map(\.name))
    do {
      // Every field of an empty row is missing, so decoding it yields the defaults.
      defaults = try description.cells([])
    } catch {
      throw .other("table \(description.name) has a field without a default (\(error))")
    }
    for (column, cell) in zip(description.columns, defaults) where column.isKey && !isCold {
      if cell == .null || column.type == .real {
        throw .other("table \(description.name): a key must not be optional or floating-point")
      }
    }
    let table = Self.quoted(description.name)
    let columns = names.map(Self.quoted).joined(separator: ", ")
    let keyed = isCold ? "\(Self.encodedKeyColumn), \(columns)" : columns
    let count = names.count + (isCold ? 1 : 0)
    var keys = zip(names, description.columns).filter(\.1.isKey).map { Self.quoted($0.0) }
    if isCold { keys = [Self.encodedKeyColumn] }
    primaryKey = keys.joined(separator: ", ")
    let marks = (1...max(1, count)).map { "?\($0)" }.joined(separator: ", ")
    let matches = keys.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
    put = "INSERT OR REPLACE INTO \(table) (\(keyed)) VALUES (\(marks))"
    remove = "DELETE FROM \(table) WHERE \(matches)"
    selectAll = "SELECT \(keyed) FROM \(table)"
    selectRange = "SELECT \(keyed) FROM \(table) WHERE \(Self.encodedKeyColumn) >= ?1"
  }

  var create: String {
    var lines = zip(names, description.columns).map { name, column in
      "\(Self.quoted(name)) \(column.type.rawValue)"
    }
    if isCold { lines.insert("\(Self.encodedKeyColumn) BLOB", at: 0) }
    lines.append("PRIMARY KEY (\(primaryKey))")
    let table = Self.quoted(description.name)
    return "CREATE TABLE \(table) (\(lines.joined(separator: ", "))) WITHOUT ROWID"
  }

  func addColumn(_ index: Int) -> String {
    let column = "\(Self.quoted(names[index])) \(description.columns[index].type.rawValue)"
    return "ALTER TABLE \(Self.quoted(description.name)) ADD COLUMN \(column) "
      + "DEFAULT \(Self.literal(defaults[index]))"
  }

  func select(_ range: ColdRange) -> (sql: String, cells: [Cell]) {
    let order = " ORDER BY \(Self.encodedKeyColumn)\(range.isDescending ? " DESC" : "")"
    guard let end = range.end else { return (selectRange + order, [.blob(range.from)]) }
    let bound = " AND \(Self.encodedKeyColumn) < ?2"
    return (selectRange + bound + order, [.blob(range.from), .blob(end)])
  }

  /// Selects the rows of a resident table from a key on; all of them where there is no key.
  func select(from key: [Cell]) -> String {
    let order = " ORDER BY \(primaryKey)"
    if key.isEmpty { return selectAll + order }
    let marks = key.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return selectAll + " WHERE (\(primaryKey)) >= (\(marks))" + order
  }

  /// The cells of an encoded key; none for an empty one.
  func keyCells(_ key: [UInt8]) throws(StoreError) -> [Cell] {
    if key.isEmpty { return [] }
    do {
      return try description.keyCells(key)
    } catch {
      throw .other("a key of table \(description.name) cannot be read (\(error))")
    }
  }

  /// Rows by their keys' cells, in the order in which `select(from:)` gives them.
  func inColumnOrder(_ rows: [(key: [UInt8], row: [UInt8]?)], from: [Cell])
    throws(StoreError) -> [(key: [Cell], row: [UInt8]?)]
  {
    var sorted: [(key: [Cell], row: [UInt8]?)] = []
    for (key, row) in rows {
      let cells = try keyCells(key)
      if !Cell.comeInOrder(cells, from) { sorted.append((cells, row)) }
    }
    return sorted.sorted { Cell.comeInOrder($0.key, $1.key) }
  }

  /// Returns the statement's current row, encoded.
  func row(_ statement: Statement, from first: Int) throws(StoreError) -> [UInt8] {
    var row = Writer(capacity: 64)
    _ = try append(statement, from: first, to: &row)
    return row.bytes
  }

  /// Appends the statement's current row, encoded, and returns where its key ends in `row`.
  func append(_ statement: Statement, from first: Int, to row: inout Writer) throws(StoreError)
    -> Int
  {
    var keyEnd = row.bytes.count
    for index in forms.indices {
      let isRead =
        switch forms[index] {
        case .integer: statement.appendInteger(first + index, to: &row)
        case .blob(let count): statement.appendBlob(first + index, byteCount: count, to: &row)
        case .text, .countedBlob, .other:
          description.columns[index].write(cell(statement, first, index), &row)
        }
      guard isRead else {
        throw .corrupt("a row of table \(description.name) does not fit its columns")
      }
      if index < keyColumnCount { keyEnd = row.bytes.count }
    }
    return keyEnd
  }

  private func cell(_ statement: Statement, _ first: Int, _ index: Int) -> Cell {
    let cell = statement.cell(first + index)
    // SQLite cannot store "not a number" and stores NULL in its place.
    let isNaN = cell == .null && defaults[index] != .null
    return isNaN && description.columns[index].type == .real ? .real(.nan) : cell
  }

  static func quoted(_ name: String) -> String {
    "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }

  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = [encodedKeyColumn]
    return names.map { name in
      var candidate = name
      var number = 2
      while !seen.insert(candidate.lowercased()).inserted {
        candidate = "\(name)_\(number)"
        number += 1
      }
      return candidate
    }
  }

  private static func literal(_ cell: Cell) -> String {
    switch cell {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value):
      "'\(value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
    case .blob(let bytes): "X'\(Hexadecimal.text(bytes))'"
    }
  }
}
