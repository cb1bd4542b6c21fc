public import Wire

/// A table as a store sees it: columns, and the way between a row's wire bytes and its cells.
///
/// A row's bytes are those of its columns, one after the other, so that a store converts them
/// without making a row.
public struct TableDescription: Sendable {
  public struct Column: Sendable {
    public var name: String
    public var type: ColumnType
    public var form: ColumnForm
    public var isKey = false
    /// The column goes on with a frozen message, which is whole or missing.
    public internal(set) var isContinued = false
    /// What the column holds for a row that ends before it.
    var missing: Cell
    /// Takes the cell from its wire form.
    public var read: @Sendable (_ row: inout Reader) -> Cell
    /// Appends the wire form of a cell; false when the cell does not fit the column.
    public var write: @Sendable (_ cell: Cell, _ row: inout Writer) -> Bool
  }

  public let id: UInt16
  public let name: String
  /// See `Row.formerTableName`.
  public let formerName: String?
  public let residence: Residence
  /// See `Row.isWrittenOnce`.
  public let isWrittenOnce: Bool
  public let columns: [Column]

  public init<R: Row>(_ type: R.Type, _ residence: Residence = .resident) {
    id = R.tableID
    name = R.tableName
    formerName = R.formerTableName
    self.residence = residence
    isWrittenOnce = R.isWrittenOnce
    var collector = ColumnCollector()
    var sample = R()
    sample.fields(&collector)
    columns = collector.columns
    precondition(
      Set(columns.map { $0.name.lowercased() }).count == columns.count,
      "two columns of \(R.tableName) have one name")
  }

  public var keyColumnCount: Int { columns.count { $0.isKey } }

  /// The cells of an encoded row, one for each column.
  public func cells(_ row: [UInt8]) throws(WireError) -> [Cell] {
    try Reader.read(row) { reader in
      var cells: [Cell] = []
      cells.reserveCapacity(columns.count)
      var isMissing = false
      for column in columns {
        // An older row ends early: the fields it does not know keep their defaults.
        if !column.isContinued { isMissing = reader.isAtEnd }
        cells.append(isMissing ? column.missing : column.read(&reader))
      }
      return cells
    }.get()
  }

  /// The cells of an encoded key, one for each key column.
  public func keyCells(_ key: [UInt8]) throws(WireError) -> [Cell] {
    try Reader.read(key) { reader in
      columns.prefix { $0.isKey }.map { $0.read(&reader) }
    }.get()
  }

  /// The encoded row that has these cells; nil when they do not fit the columns.
  public func row(_ cells: [Cell]) -> [UInt8]? {
    guard cells.count == columns.count else { return nil }
    var row = Writer(capacity: 64)
    for (column, cell) in zip(columns, cells) where !column.write(cell, &row) { return nil }
    return row.bytes
  }
}

/// Frozen messages, such as keys of several parts, are spread over columns of their own; everything
/// else is one column. The first field is the key.
private struct ColumnCollector: FieldVisitor {
  var columns: [TableDescription.Column] = []
  private var depth = 0

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    let start = columns.count
    if let message = value as? any Message, Swift.type(of: message).isFrozen {
      spread(message)
    } else {
      columns.append(column("\(name)", value))
    }
    for index in start..<columns.count {
      if index > start { columns[index].isContinued = true }
      if start == 0 && depth == 0 { columns[index].isKey = true }
    }
  }

  private mutating func spread<M: Message>(_ message: M) {
    var copy = message
    depth += 1
    copy.fields(&self)
    depth -= 1
  }

  private func column<Value: FieldValue>(_ name: String, _ value: Value)
    -> TableDescription.Column
  {
    TableDescription.Column(
      name: name, type: Value.columnType, form: Value.columnForm, missing: value.cell,
      read: { Value.decode(from: &$0).cell },
      write: { cell, row in
        guard let value = Value(cell: cell) else { return false }
        value.encode(to: &row)
        return true
      })
  }
}
