import Domain

/// The batches that are in the journal and not yet in the tables, in memory.
///
/// Folding takes them from here, reads of cold rows look here first, and the journal's bound is the
/// bound of this. Kept under one lock; everything here is short.
struct JournalTail: Sendable {
  struct Entry: Sendable {
    var number: UInt64
    var time: Int64
    var changes: RowChanges
  }

  /// The last change of a cold row; nil bytes for a removal.
  struct Overlaid: Sendable {
    var number: UInt64
    var row: [UInt8]?
  }

  private(set) var entries: [Entry] = []
  private(set) var bytes = 0
  private(set) var lastBatch: UInt64
  private(set) var lastTime: Int64
  private(set) var foldedTo: UInt64
  private var overlay: [UInt16: SortedRows<Overlaid>] = [:]

  init(foldedTo: UInt64, time: Int64) {
    self.foldedTo = foldedTo
    lastBatch = foldedTo
    lastTime = time
  }

  /// - Parameter cold: the changes among the batch's that are to cold tables, in order.
  mutating func append(_ entry: Entry, cold: [RowChange]) {
    entries.append(entry)
    bytes += entry.changes.bytes.count
    lastBatch = entry.number
    lastTime = entry.time
    for change in cold {
      let row = change.kind == .put ? change.bytes : nil
      overlay[change.table, default: SortedRows()][change.key] = Overlaid(
        number: entry.number, row: row)
    }
  }

  /// The oldest entries of at most so many bytes, but at least one.
  func front(bytesMax: Int) -> ArraySlice<Entry> {
    var count = 0
    var sum = 0
    for entry in entries {
      sum += entry.changes.bytes.count
      if count > 0 && sum > bytesMax { break }
      count += 1
    }
    return entries[..<count]
  }

  /// Forgets what is in the tables now.
  mutating func dropFolded(to number: UInt64, _ folded: [RowChange]) {
    let count = entries.prefix { $0.number <= number }.count
    bytes -= entries[..<count].reduce(0) { $0 + $1.changes.bytes.count }
    entries.removeFirst(count)
    foldedTo = number
    for change in folded {
      guard let last = overlay[change.table]?[change.key], last.number <= number else { continue }
      overlay[change.table]?[change.key] = nil
    }
  }

  /// The overlaid rows of a range, in its order.
  func overlaid(_ range: ColdRange) -> [(key: [UInt8], row: [UInt8]?)] {
    var found: [(key: [UInt8], row: [UInt8]?)] = []
    overlay[range.table]?.forEach(
      from: range.from, until: range.end, descending: range.isDescending
    ) { entry in
      found.append((entry.key, entry.value.row))
      return true
    }
    return found
  }
}
