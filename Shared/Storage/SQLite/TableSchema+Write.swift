import CSQLite
import Domain
import Wire

// How a change is written: its bytes are lent to SQLite, so that most columns are neither made into
// values nor copied. Folding writes several rows for each call of players.

extension TableSchema {
  func write(_ change: RowChange, to connection: SQLiteConnection) throws(StoreError) {
    let bytes = unsafe change.bytes.span.bytes
    try unsafe bytes.withUnsafeBytes { bytes throws(StoreError) in
      try connection.run(change.kind == .put ? put : remove) { statement throws(StoreError) in
        try unsafe bind(change, bytes, to: statement)
      }
    }
  }

  /// Binds what `put` or `remove` takes of a change.
  @unsafe
  private func bind(
    _ change: RowChange, _ bytes: UnsafeRawBufferPointer, to statement: Statement
  ) throws(StoreError) -> Int32 {
    if isCold {
      let key = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<change.keyCount])
      let code = unsafe statement.bind(lentBlob: key, at: 1)
      if code != SQLITE_OK || change.kind == .remove { return code }
    }
    let count = change.kind == .put ? forms.count : keyColumnCount
    var reader = unsafe Reader(bytes)
    var isMissing = false
    for index in 0..<count {
      // An older row ends early: the fields it does not know keep their defaults.
      if change.kind == .put, !isContinued[index] { isMissing = reader.isAtEnd }
      let place = firstColumn + index + 1
      let code =
        isMissing
        ? statement.bind(defaults[index], at: place)
        : unsafe bind(column: index, of: bytes, &reader, to: statement, at: place)
      if code != SQLITE_OK { return code }
    }
    if let error = reader.error {
      throw .corrupt("a row of table \(description.name) cannot be read (\(error))")
    }
    return SQLITE_OK
  }

  @unsafe
  private func bind(
    column: Int, of bytes: UnsafeRawBufferPointer, _ reader: inout Reader,
    to statement: Statement, at place: Int
  ) -> Int32 {
    switch forms[column] {
    case .integer: statement.bind(reader.integer(Int64.self), at: place)
    case .blob(let count):
      unsafe statement.bind(lentBlob: reader.lend(count, of: bytes), at: place)
    case .text:
      unsafe statement.bind(lentText: reader.lendText(of: bytes), at: place)
    case .countedBlob:
      unsafe statement.bind(lentBlob: reader.lend(reader.count(), of: bytes), at: place)
    case .other: statement.bind(description.columns[column].read(&reader), at: place)
    }
  }
}

extension Reader {
  /// Takes bytes without copying them.
  ///
  /// - Parameter bytes: those that the reader reads.
  @unsafe
  fileprivate mutating func lend(_ count: Int, of bytes: UnsafeRawBufferPointer)
    -> UnsafeRawBufferPointer
  {
    let start = position
    skip(count)
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// Takes a text without copying it; one that is not UTF-8 is a fault.
  @unsafe
  fileprivate mutating func lendText(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let text = unsafe lend(count(), of: bytes)
    let isValid =
      unsafe text.allSatisfy { $0 < 0x80 } || String(validating: text, as: UTF8.self) != nil
    if !isValid { reject(.invalidUTF8) }
    return unsafe text
  }
}
