internal import Locking
public import Domain
import Wire

// A read sees one snapshot of the tables with the unfolded tail on top.
//
// It takes the tail first. The snapshot of the tables may then turn out to hold a batch that the
// tail does not know. Such a batch could be seen in part, so the read takes both again. That needs
// a commit and a whole fold between the two, and is rare.

extension SQLiteStore {
  public func read(_ range: ColdRange) throws(StoreError) -> [[UInt8]] {
    try check(range, residences)
    guard let schema = tables.schemas[range.table], range.limit > 0 else { return [] }
    guard schema.isCold else { return try readResident(schema, range) }
    return try snapshot { () throws(StoreError) in
      try overlaid(range)
    } read: { connection, overlaid throws(StoreError) in
      var merge = OverlayMerge(overlaid, range.limit) {
        range.isDescending
          ? $1.lexicographicallyPrecedes($0) : $0.lexicographicallyPrecedes($1)
      }
      let select = schema.select(range)
      try connection.query(select.sql, select.cells) { statement throws(StoreError) in
        let key = statement.bytes(0)
        guard merge.takeOverlaid(before: key) else { return false }
        if !merge.replaces(key) {
          merge.rows.append(try schema.row(statement, from: schema.firstColumn))
        }
        return merge.rows.count < range.limit
      }
      merge.takeRest()
      return merge.rows
    }
  }

  /// Reads the rows of a resident table in the order of its columns, which is not that of encoded
  /// keys.
  private func readResident(_ schema: TableSchema, _ range: ColdRange) throws(StoreError)
    -> [[UInt8]]
  {
    let from = try schema.keyCells(range.from)
    var table = range
    table.from = []
    // The first ones in the order of columns may be the last ones in that of keys.
    table.limit = .max
    return try snapshot { () throws(StoreError) in
      let (changed, last) = try overlaid(table)
      return (try schema.inColumnOrder(changed, from: from), last)
    } read: { connection, changed throws(StoreError) in
      var merge = OverlayMerge(changed, range.limit, comesFirst: Cell.comeInOrder)
      try connection.query(schema.select(from: from), from) { statement throws(StoreError) in
        var row = Writer(capacity: 64)
        let keyEnd = try schema.append(statement, from: 0, to: &row)
        let bytes = row.bytes
        let key = try schema.keyCells(Array(bytes[..<keyEnd]))
        guard merge.takeOverlaid(before: key) else { return false }
        if !merge.replaces(key) { merge.rows.append(bytes) }
        return merge.rows.count < range.limit
      }
      merge.takeRest()
      return merge.rows
    }
  }

  /// Returns the rows of a range that batches of the tail have changed, and the last batch.
  private func overlaid(_ range: ColdRange) throws(StoreError)
    -> (overlay: [(key: [UInt8], row: [UInt8]?)], last: UInt64)
  {
    try overlays.withLock { overlays throws(StoreError) in
      let (known, newer, last) = tail.withLock { tail in
        let known = overlays[range.table]?.takenTo ?? tail.foldedTo
        return (known, tail.entries(after: known), tail.lastBatch)
      }
      var overlay = overlays.removeValue(forKey: range.table) ?? ColdOverlay(takenTo: known)
      defer { overlays[range.table] = overlay }
      try overlay.take(newer, of: range.table)
      return (overlay.rows(in: range), last)
    }
  }

  /// Reads rows on a thread of its own, while the caller takes the rows that were read before.
  public func load(_ table: TableDescription, _ each: (RawSpan) throws -> Void) throws {
    guard let schema = tables.schemas[table.id] else {
      throw StoreError.other("no table has the number \(table.id)")
    }
    let pipe = RowPipe()
    SystemThread.start("muster.load") { [self] in
      pipe.finish(Result { () throws(StoreError) in try read(schema, into: pipe) })
    }
    defer { pipe.waitForEnd() }
    while let page = try pipe.receive() {
      try page.forEachRow(each)
      pipe.giveBack(page)
    }
  }

  /// Sends every row of a table into the pipe: first the rows of the table that no batch of the
  /// tail has changed, then the changed ones.
  private func read(_ schema: TableSchema, into pipe: RowPipe) throws(StoreError) {
    try snapshot {
      tail.withLock { ($0.entries[...], $0.lastBatch) }
    } read: { connection, entries throws(StoreError) in
      let overlay = try TableOverlay(entries, table: schema.description.id)
      var page = RowPage()
      try connection.query(schema.selectAll) { statement throws(StoreError) in
        let keyEnd = try schema.append(statement, from: schema.firstColumn, to: &page.bytes)
        let isReplaced =
          schema.isCold
          ? overlay.replaces(statement.bytes(0)[...])
          : overlay.replaces(page.unfinished(to: keyEnd))
        if isReplaced { page.dropUnfinished() } else { page.finishRow() }
        return !page.isFull || pipe.send(&page)
      }
      for row in overlay.rows {
        page.bytes.raw(row)
        page.finishRow()
        if page.isFull && !pipe.send(&page) { return }
      }
      _ = pipe.send(&page)
    }
  }

  /// Runs `read` on a snapshot of the tables, with what `take` took from the tail and the number of
  /// the tail's last batch.
  private func snapshot<Overlay, Value>(
    _ take: () throws(StoreError) -> (overlay: Overlay, last: UInt64),
    read: (SQLiteConnection, Overlay) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    while true {
      let (overlay, last) = try take()
      let value = try tables.withSnapshot { connection, foldedTo throws(StoreError) in
        foldedTo <= last ? try read(connection, overlay) : nil
      }
      if let value { return value }
    }
  }
}

/// Merges the rows of a table with the changed rows of the tail, which are in the same order. A
/// changed row comes in place of the table's row with the same key, or between two rows of the
/// table.
private struct OverlayMerge<Key: Equatable> {
  var rows: [[UInt8]] = []
  private let overlaid: [(key: Key, row: [UInt8]?)]
  private let limit: Int
  private let comesFirst: (Key, Key) -> Bool
  /// Overlaid rows that were passed so far.
  private var passed = 0

  init(
    _ overlaid: [(key: Key, row: [UInt8]?)], _ limit: Int,
    comesFirst: @escaping (Key, Key) -> Bool
  ) {
    self.overlaid = overlaid
    self.limit = limit
    self.comesFirst = comesFirst
  }

  /// Takes the changed rows that come before the key of a table's row. Returns false when the limit
  /// is reached.
  mutating func takeOverlaid(before key: Key) -> Bool {
    while passed < overlaid.count, rows.count < limit, comesFirst(overlaid[passed].key, key) {
      takeOverlaid()
    }
    return rows.count < limit
  }

  /// Returns whether the table's row with this key was changed or removed. If it was changed, the
  /// newer row is taken.
  mutating func replaces(_ key: Key) -> Bool {
    guard passed < overlaid.count, overlaid[passed].key == key else { return false }
    takeOverlaid()
    return true
  }

  mutating func takeRest() {
    while passed < overlaid.count, rows.count < limit { takeOverlaid() }
  }

  private mutating func takeOverlaid() {
    if let row = overlaid[passed].row { rows.append(row) }
    passed += 1
  }
}
