import Domain

/// What the batches in the journal have changed in cold tables, as far as reads have asked for it.
///
/// Commits only append to the tail; a read takes from there what it does not know yet of its table.
/// So a table costs commits nothing, and of one that nobody reads, such as the answers to calls,
/// nothing is kept. Reads and folds wait for each other here, commits for neither.
struct ColdOverlays: Sendable {
  private struct Table: Sendable {
    var overlay = ColdOverlay()
    /// The last batch whose changes were taken.
    var takenTo: UInt64
  }

  /// The tables that were read.
  private var tables: [UInt16: Table] = [:]
  /// Batches up to this one are in the tables of the store.
  private var foldedTo: UInt64

  init(foldedTo: UInt64) { self.foldedTo = foldedTo }

  /// Returns the changed rows of a range, in the range's order.
  mutating func rows(in range: ColdRange, _ tail: JournalTail) throws(StoreError)
    -> [(key: [UInt8], row: [UInt8]?)]
  {
    var table = tables.removeValue(forKey: range.table) ?? Table(takenTo: foldedTo)
    defer { tables[range.table] = table }
    for entry in tail.entries(after: table.takenTo) {
      for change in try entry.changes(to: range.table) {
        let row = change.kind == .put ? change.bytes : nil
        table.overlay.put(change.key, .init(number: entry.number, row: row))
      }
    }
    table.takenTo = tail.lastBatch
    return table.overlay.rows(in: range)
  }

  /// Forgets changes that are in the tables of the store now.
  ///
  /// - Parameters:
  ///   - folded: the last change of each row, up to the batch `number`.
  mutating func drop(_ folded: [RowChange], to number: UInt64) {
    foldedTo = number
    for change in folded {
      guard tables[change.table]?.overlay.isEmpty == false else { continue }
      tables[change.table]?.overlay.drop(change.key, to: number)
    }
    tables = tables.mapValues { table in
      Table(overlay: table.overlay, takenTo: max(number, table.takenTo))
    }
  }
}
