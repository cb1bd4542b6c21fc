public import Wire

/// A table as a store sees it: columns, and the way between a row's wire bytes and its cells.
public struct TableDescription: Sendable {
  public struct Column: Equatable, Sendable {
    public var name: String
    public var type: ColumnType
    public var isKey: Bool
  }

  public let id: UInt16
  public let name: String
  public let residence: Residence
  public let columns: [Column]
  /// The cells of an encoded row, one for each column.
  public let cells: @Sendable (_ row: [UInt8]) throws(WireError) -> [Cell]
  /// The cells of an encoded key, one for each key column.
  public let keyCells: @Sendable (_ key: [UInt8]) throws(WireError) -> [Cell]
  /// The encoded row that has these cells; nil when they do not fit the columns.
  public let row: @Sendable (_ cells: [Cell]) -> [UInt8]?

  public init<R: Row>(_ type: R.Type) {
    id = R.tableID
    name = R.tableName
    residence = R.residence
    var collector = ColumnCollector()
    var sample = R()
    sample.fields(&collector)
    columns = collector.columns
    precondition(
      Set(columns.map { $0.name.lowercased() }).count == columns.count,
      "two columns of \(R.tableName) have one name")
    cells = { (bytes: [UInt8]) throws(WireError) -> [Cell] in
      var row = try R(decoding: bytes)
      var collector = CellCollector()
      row.fields(&collector)
      return collector.cells
    }
    keyCells = { (bytes: [UInt8]) throws(WireError) -> [Cell] in
      var key = try Reader.read(bytes) { R.Key.decode(from: &$0) }.get()
      var collector = CellCollector()
      collector.field("key", &key)
      return collector.cells
    }
    row = { cells in
      var filler = CellFiller(cells: cells)
      var row = R()
      row.fields(&filler)
      return filler.isWhole ? row.encoded : nil
    }
  }

  public var keyColumnCount: Int { columns.count { $0.isKey } }
}

/// Frozen messages, such as keys of several parts, are spread over columns of their own; everything
/// else is one column.
private func asFrozen<Value: FieldValue>(_ type: Value.Type) -> (any Message.Type)? {
  guard let message = type as? any Message.Type, message.isFrozen else { return nil }
  return message
}

private struct ColumnCollector: FieldVisitor {
  var columns: [TableDescription.Column] = []
  var isFirst = true

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    let start = columns.count
    if asFrozen(Value.self) != nil, let message = value as? any Message {
      spread(message)
    } else {
      columns.append(.init(name: "\(name)", type: Value.columnType, isKey: false))
    }
    if isFirst {
      for index in start..<columns.count { columns[index].isKey = true }
      isFirst = false
    }
  }

  private mutating func spread<M: Message>(_ message: M) {
    var copy = message
    let wasFirst = isFirst
    isFirst = false
    copy.fields(&self)
    isFirst = wasFirst
  }
}

private struct CellCollector: FieldVisitor {
  var cells: [Cell] = []

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    if asFrozen(Value.self) != nil, let message = value as? any Message {
      spread(message)
    } else {
      cells.append(value.cell)
    }
  }

  private mutating func spread<M: Message>(_ message: M) {
    var copy = message
    copy.fields(&self)
  }
}

private struct CellFiller: FieldVisitor {
  let cells: [Cell]
  var next = 0
  var isWhole = true

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    if asFrozen(Value.self) != nil, let message = value as? any Message {
      if let filled = spread(message) as? Value { value = filled }
      return
    }
    guard next < cells.count, let read = Value(cell: cells[next]) else {
      isWhole = false
      return
    }
    next += 1
    value = read
  }

  private mutating func spread<M: Message>(_ message: M) -> any Message {
    var copy = message
    copy.fields(&self)
    return copy
  }

  init(cells: [Cell]) { self.cells = cells }
}
