import Domain
import Wire

/// A table's description as SQL.
///
/// A resident table's primary key is its key's columns. A cold one's is the encoded key, in a
/// column of its own before the others: ranges go by encoded keys, and SQL orders texts and
/// negative numbers otherwise.
struct TableSchema: Sendable {
  static let encodedKeyColumn = "encoded_key"

  let description: TableDescription
  /// Columns as they are named in the file; fields of one name are told apart by a number.
  let names: [String]
  /// What an older row has in a column that it did not know.
  let defaults: [Cell]
  let put: String
  let remove: String
  let selectAll: String
  private let selectRange: String
  private let primaryKey: String

  let isCold: Bool
  /// Where the described columns begin in what `select` gives.
  var firstColumn: Int { isCold ? 1 : 0 }

  init(_ description: TableDescription) throws(StoreError) {
    let isCold = description.residence == .cold
    self.description = description
    self.isCold = isCold
    names = Self.distinct(description.columns.map(\.name))
    do {
      // An empty row is one in which every field was missing.
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

  /// The encoded row of a statement's current columns.
  func row(_ statement: Statement, from first: Int) throws(StoreError) -> [UInt8] {
    let cells = names.indices.map { index in
      let cell = statement.cell(first + index)
      // SQLite has no "not a number" and keeps it as no value.
      let isNaN = cell == .null && defaults[index] != .null
      return isNaN && description.columns[index].type == .real ? .real(.nan) : cell
    }
    guard let row = description.row(cells) else {
      throw .corrupt("a row of table \(description.name) does not fit its columns")
    }
    return row
  }

  /// What a change binds: the cells of a put, or the key's of a removal.
  func cells(_ change: RowChange) throws(StoreError) -> [Cell] {
    do {
      switch (change.kind, isCold) {
      case (.put, false): return try description.cells(change.bytes)
      case (.put, true): return [.blob(change.key)] + (try description.cells(change.bytes))
      case (.remove, false): return try description.keyCells(change.bytes)
      case (.remove, true): return [.blob(change.bytes)]
      }
    } catch {
      throw .corrupt("a row of table \(description.name) cannot be read (\(error))")
    }
  }

  /// The keys of changes in the form of `storedKey`.
  func changedKeys(_ changes: [RowChange]) throws(StoreError) -> Set<[UInt8]> {
    var keys: Set<[UInt8]> = []
    for change in changes {
      var removal = change
      removal.kind = .remove
      removal.bytes = change.key
      keys.insert(Self.image(try cells(removal)))
    }
    return keys
  }

  /// The primary key of a statement's current row, as bytes to compare with.
  func storedKey(_ statement: Statement) -> [UInt8] {
    let count = isCold ? 1 : description.keyColumnCount
    return Self.image((0..<count).map(statement.cell))
  }

  /// Cells as bytes that are equal when the cells are.
  private static func image(_ cells: [Cell]) -> [UInt8] {
    var writer = Writer(capacity: 64)
    for cell in cells {
      switch cell {
      case .null: writer.integer(UInt8(0))
      case .integer(let value):
        writer.integer(UInt8(1))
        writer.integer(value)
      case .real(let value):
        writer.integer(UInt8(2))
        writer.integer(value.bitPattern)
      case .text(let value):
        writer.integer(UInt8(3))
        value.encode(to: &writer)
      case .blob(let value):
        writer.integer(UInt8(4))
        writer.count(value.count)
        writer.raw(value)
      }
    }
    return writer.bytes
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
    case .blob(let bytes):
      "X'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}
