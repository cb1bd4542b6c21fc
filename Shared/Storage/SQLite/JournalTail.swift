import Domain

/// The batches that are in the journal and not yet in the tables, as a copy in memory.
///
/// Folding takes batches from here, and reads of cold rows look here first. The bound on the
/// journal's length bounds this copy. It is used under one lock, so every method is quick.
struct JournalTail: Sendable {
  struct Entry: Sendable {
    var number: UInt64
    var time: Int64
    var changes: RowChanges
  }

  private(set) var entries: [Entry] = []
  /// The bytes of row changes in `entries`.
  private(set) var bytes = 0
  private(set) var lastBatch: UInt64
  private(set) var lastTime: Int64
  private(set) var foldedTo: UInt64
  private var overlay: [UInt16: ColdOverlay] = [:]

  init(foldedTo: UInt64, time: Int64) {
    self.foldedTo = foldedTo
    lastBatch = foldedTo
    lastTime = time
  }

  /// - Parameter cold: those changes of the batch that are to cold tables, in order.
  mutating func append(_ entry: Entry, cold: [RowChange]) {
    entries.append(entry)
    bytes += entry.changes.bytes.count
    lastBatch = entry.number
    lastTime = entry.time
    for change in cold {
      let row = change.kind == .put ? change.bytes : nil
      overlay[change.table, default: ColdOverlay()].put(
        change.key, .init(number: entry.number, row: row))
    }
  }

  /// Returns the oldest entries, `bytesMax` bytes of row changes at most, but at least one entry if
  /// there is any.
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

  /// Forgets the entries up to `number`, which are in the tables now.
  mutating func dropFolded(to number: UInt64) {
    let count = entries.prefix { $0.number <= number }.count
    bytes -= entries[..<count].reduce(0) { $0 + $1.changes.bytes.count }
    entries.removeFirst(count)
    foldedTo = number
  }

  /// Forgets changes to cold tables, the last one of each row, that are in the tables now.
  ///
  /// - Parameter number: the last batch that was folded.
  mutating func dropOverlaid(_ folded: ArraySlice<RowChange>, to number: UInt64) {
    for change in folded { overlay[change.table]?.drop(change.key, to: number) }
  }

  /// Returns the changed rows of a range, in the range's order.
  mutating func overlaid(_ range: ColdRange) -> [(key: [UInt8], row: [UInt8]?)] {
    overlay[range.table]?.rows(in: range) ?? []
  }
}
