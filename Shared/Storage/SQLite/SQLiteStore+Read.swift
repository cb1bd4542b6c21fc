internal import Locking
public import Domain
import Wire

// Reading: the tables as of one snapshot, with the unfolded tail on top.
//
// The tail is taken first. When the tables' snapshot turns out to have folded more than the tail
// knew, a batch that the tail lacks could be seen in part, so both are taken again; that needs a
// commit and a whole fold between two lines, and is rare.

extension SQLiteStore {
  public func read(_ range: ColdRange) throws(StoreError) -> [[UInt8]] {
    try checkCold(range.table, residences)
    guard let schema = tables.schemas[range.table], range.limit > 0 else { return [] }
    return try snapshot { tail in
      tail.overlaid(range)
    } read: { connection, overlaid throws(StoreError) in
      var merge = OverlayMerge(overlaid, range)
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

  /// Rows are read on a thread of their own, while the caller takes those that were read before.
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

  private func read(_ schema: TableSchema, into pipe: RowPipe) throws(StoreError) {
    try snapshot { tail in
      tail.entries[...]
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

  private func snapshot<Overlay: Sendable, Value>(
    _ take: (borrowing JournalTail) -> Overlay,
    read: (Connection, Overlay) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    while true {
      let (overlay, last) = tail.withLock { (take($0), $0.lastBatch) }
      let value = try tables.withSnapshot { connection, foldedTo throws(StoreError) in
        foldedTo <= last ? try read(connection, overlay) : nil
      }
      if let value { return value }
    }
  }
}

/// Puts overlaid rows between, and in place of, the rows of a table, in the order of a range.
private struct OverlayMerge {
  var rows: [[UInt8]] = []
  private let overlaid: [(key: [UInt8], row: [UInt8]?)]
  private let range: ColdRange
  private var next = 0

  init(_ overlaid: [(key: [UInt8], row: [UInt8]?)], _ range: ColdRange) {
    self.overlaid = overlaid
    self.range = range
  }

  /// Takes what comes before a table's row; false when the limit is reached.
  mutating func takeOverlaid(before key: [UInt8]) -> Bool {
    while next < overlaid.count, rows.count < range.limit, comesFirst(overlaid[next].key, key) {
      takeNext()
    }
    return rows.count < range.limit
  }

  /// Whether a table's row has a newer form, which is taken, or was removed.
  mutating func replaces(_ key: [UInt8]) -> Bool {
    guard next < overlaid.count, overlaid[next].key == key else { return false }
    takeNext()
    return true
  }

  mutating func takeRest() {
    while next < overlaid.count, rows.count < range.limit { takeNext() }
  }

  private mutating func takeNext() {
    if let row = overlaid[next].row { rows.append(row) }
    next += 1
  }

  private func comesFirst(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    range.isDescending
      ? right.lexicographicallyPrecedes(left) : left.lexicographicallyPrecedes(right)
  }
}
