import CSQLite
import KillRounds

/// What a store is made of, as its tables file says: a build that adds to it can be told by that.
enum StoreLayout {
  private static let sql = """
    SELECT sql FROM sqlite_master WHERE type = 'table'
    UNION ALL SELECT 'format ' || value FROM muster_meta WHERE name = 'format' ORDER BY 1
    """

  static func read(_ path: String) throws -> [String] {
    var opened: OpaquePointer?
    defer { unsafe sqlite3_close(opened) }
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
      unsafe sqlite3_prepare_v2(opened, sql, -1, &statement, nil) == SQLITE_OK
    else { throw SoakFailure(description: "\(path) cannot be read") }
    var lines: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      if let text = unsafe sqlite3_column_text(statement, 0) {
        lines.append(unsafe String(cString: text))
      }
    }
    guard !lines.isEmpty else { throw SoakFailure(description: "\(path) has no tables") }
    return lines
  }
}
