import Domain

/// The changes to one cold table that are in the journal and not yet in the table: the last one of
/// each row.
///
/// Of some tables single rows are read and nothing else, such as of answers to calls, and order
/// would cost more than all else that is done with them. So the rows are sorted when the first
/// range is asked for, and stay so.
struct ColdOverlay: Sendable {
  /// The last change of a row; nil bytes for a removal.
  struct Change: Sendable {
    var number: UInt64
    var row: [UInt8]?
  }

  private var unsorted: [[UInt8]: Change]? = [:]
  private var sorted = SortedRows<Change>()

  var isEmpty: Bool { unsorted?.isEmpty ?? (sorted.count == 0) }

  mutating func put(_ key: [UInt8], _ change: Change) {
    if unsorted == nil { sorted[key] = change } else { unsorted?[key] = change }
  }

  /// Forgets a change. A row that a later batch than `number` has changed again stays: the table
  /// does not have that change yet.
  mutating func drop(_ key: [UInt8], to number: UInt64) {
    guard let last = unsorted == nil ? sorted[key] : unsorted?[key], last.number <= number else {
      return
    }
    if unsorted == nil { sorted[key] = nil } else { unsorted?[key] = nil }
  }

  /// Returns the changed rows of a range, in the range's order.
  mutating func rows(in range: ColdRange) -> [(key: [UInt8], row: [UInt8]?)] {
    if range.isOneRow, let unsorted {
      return unsorted[range.from].map { [(range.from, $0.row)] } ?? []
    }
    sort()
    var found: [(key: [UInt8], row: [UInt8]?)] = []
    sorted.forEach(from: range.from, until: range.end, descending: range.isDescending) { entry in
      found.append((entry.key, entry.value.row))
      return true
    }
    return found
  }

  private mutating func sort() {
    guard let rows = unsorted else { return }
    for (key, change) in rows { sorted[key] = change }
    unsorted = nil
  }
}
