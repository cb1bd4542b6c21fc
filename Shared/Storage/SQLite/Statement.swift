import CSQLite
import Wire

/// A prepared statement. Its connection finalizes it.
@safe
final class Statement {
  private let handle: OpaquePointer

  @unsafe
  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  func finalize() { unsafe sqlite3_finalize(handle) }

  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  func step() -> Int32 { unsafe sqlite3_step(handle) }

  func bind(_ cell: Cell, at index: Int) -> Int32 {
    let place = Int32(index)
    switch cell {
    case .null: return unsafe sqlite3_bind_null(handle, place)
    case .integer(let value): return unsafe sqlite3_bind_int64(handle, place, value)
    case .real(let value): return unsafe sqlite3_bind_double(handle, place, value)
    case .text(var value):
      return value.withUTF8 { bytes in
        // A null pointer would bind NULL and not an empty string.
        unsafe bytes.withMemoryRebound(to: CChar.self) { text in
          unsafe sqlite3_bind_text64(
            handle, place, text.baseAddress ?? emptyText(), UInt64(text.count),
            muster_sqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let value):
      if value.isEmpty { return unsafe sqlite3_bind_zeroblob(handle, place, 0) }
      return unsafe value.withUnsafeBytes { bytes in
        unsafe sqlite3_bind_blob64(
          handle, place, bytes.baseAddress, UInt64(bytes.count), muster_sqlite_transient())
      }
    }
  }

  func bind(_ value: Int64, at index: Int) -> Int32 {
    unsafe sqlite3_bind_int64(handle, Int32(index), value)
  }

  /// Binds UTF-8 that is lent until the statement is reset.
  @unsafe
  func bind(lentText bytes: UnsafeRawBufferPointer, at index: Int) -> Int32 {
    // A null pointer would bind NULL and not an empty string.
    let text = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? emptyText()
    return unsafe sqlite3_bind_text64(
      handle, Int32(index), text, UInt64(bytes.count), muster_sqlite_static(), UInt8(SQLITE_UTF8))
  }

  /// Binds a blob that is lent until the statement is reset.
  @unsafe
  func bind(lentBlob bytes: UnsafeRawBufferPointer, at index: Int) -> Int32 {
    if unsafe bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(handle, Int32(index), 0) }
    return unsafe sqlite3_bind_blob64(
      handle, Int32(index), bytes.baseAddress, UInt64(bytes.count), muster_sqlite_static())
  }

  func integer(_ index: Int) -> Int64 { unsafe sqlite3_column_int64(handle, Int32(index)) }

  func bytes(_ index: Int) -> [UInt8] {
    let column = Int32(index)
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Appends an integer as eight big-endian bytes. Returns false when the column holds something
  /// else.
  func appendInteger(_ index: Int, to row: inout Writer) -> Bool {
    guard unsafe sqlite3_column_type(handle, Int32(index)) == SQLITE_INTEGER else { return false }
    row.integer(integer(index))
    return true
  }

  /// Appends a blob of `byteCount` bytes. Returns false when the column holds something else.
  func appendBlob(_ index: Int, byteCount: Int, to row: inout Writer) -> Bool {
    let column = Int32(index)
    guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB,
      let start = unsafe sqlite3_column_blob(handle, column),
      Int(unsafe sqlite3_column_bytes(handle, column)) == byteCount
    else { return false }
    unsafe row.bytes.append(
      contentsOf: UnsafeRawBufferPointer(start: start, count: byteCount))
    return true
  }

  func cell(_ index: Int) -> Cell {
    switch unsafe sqlite3_column_type(handle, Int32(index)) {
    case SQLITE_INTEGER: .integer(integer(index))
    case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(handle, Int32(index)))
    case SQLITE_TEXT: .text(String(decoding: bytes(index), as: UTF8.self))
    case SQLITE_BLOB: .blob(bytes(index))
    default: .null
    }
  }
}

/// Returns a pointer that is not null, for an empty text whose bytes nobody reads.
private func emptyText() -> UnsafePointer<CChar> {
  unsafe sqlite3_libversion()
}
