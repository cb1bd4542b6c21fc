import Domain

/// The changes to one cold table that are in the journal and not yet in the table: the last one of
/// each row, as far as reads have asked for it.
///
/// Commits only append to the tail, and a read takes from there what it does not know yet. So a
/// table of which nothing is read costs nothing, such as that of answers to calls, which are most
/// of what a busy service writes, and are read when a client has lost one. The first read after a
/// fold pays for all that is left in the tail: little, unless folding lags behind.
///
/// Of some tables only single rows are read, and order would cost more than all else. So the rows
/// are sorted when the first range is asked for, and stay so.
struct ColdOverlay: Sendable {
  /// The last batch whose changes are known here.
  private(set) var takenTo: UInt64
  /// Each row by its key; nil for one that was removed.
  private var unsorted: [[UInt8]: [UInt8]?]? = [:]
  private var sorted = SortedRows<[UInt8]?>()

  /// An overlay of the batches after `takenTo`, of which none is known yet.
  init(takenTo: UInt64) { self.takenTo = takenTo }

  /// Takes the changes to a table.
  ///
  /// - Parameter newer: the batches after `takenTo`.
  mutating func take(_ newer: [JournalTail.Entry], of table: UInt16) throws(StoreError) {
    for entry in newer {
      for change in try entry.changes(to: table) {
        put(change.key, change.kind == .put ? change.bytes : nil)
      }
      takenTo = entry.number
    }
  }

  private mutating func put(_ key: [UInt8], _ row: [UInt8]?) {
    if unsorted == nil { sorted[key] = .some(row) } else { unsorted?[key] = .some(row) }
  }

  /// Returns the changed rows of a range, in the range's order, and no more of them than a read of
  /// the range returns. Among them are removed ones, which hide rows of the table.
  mutating func rows(in range: ColdRange) -> [(key: [UInt8], row: [UInt8]?)] {
    if range.isOneRow, let unsorted {
      return unsorted[range.from].map { [(range.from, $0)] } ?? []
    }
    sort()
    var found: [(key: [UInt8], row: [UInt8]?)] = []
    var count = 0
    sorted.forEach(from: range.from, until: range.end, descending: range.isDescending) { entry in
      guard count < range.limit else { return false }
      found.append((entry.key, entry.value))
      if entry.value != nil { count += 1 }
      return true
    }
    return found
  }

  private mutating func sort() {
    guard let rows = unsorted else { return }
    for (key, row) in rows { sorted[key] = .some(row) }
    unsorted = nil
  }
}
