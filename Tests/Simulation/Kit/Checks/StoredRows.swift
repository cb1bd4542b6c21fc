import Domain
import Wire

/// The tables of a service as an operator reads them: by the names of columns.
struct StoredTables {
  private let tables: [UInt16: TableDescription]

  init(of core: any ServiceCore.Type) {
    tables = Dictionary(
      Engine.tables(of: core).map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
  }

  func name(of table: UInt16) -> String { tables[table]?.name ?? "" }

  /// The row that was put, or the key of the one that was removed.
  func row(_ change: RowChange) throws(WireError) -> StoredRow {
    guard let table = tables[change.table] else { return StoredRow() }
    let cells =
      try change.kind == .put ? table.cells(change.bytes) : table.keyCells(change.bytes)
    return StoredRow(
      cells: Dictionary(
        zip(table.columns.map(\.name), cells), uniquingKeysWith: { one, _ in one }))
  }
}

struct StoredRow {
  fileprivate(set) var cells: [String: Cell] = [:]

  /// The value in a column; its type's default when there is none.
  func callAsFunction<Value: FieldValue>(_ column: String, _ type: Value.Type = Value.self)
    -> Value
  {
    cells[column].flatMap { Value(cell: $0) } ?? Value()
  }
}
