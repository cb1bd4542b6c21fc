import Domain

/// The batches that are in the journal and not yet in the tables, as a copy in memory.
///
/// Folding takes batches from here, and reads of cold rows look here first. The bound on the
/// journal's length bounds this copy. Commits wait for its lock, so every method is quick.
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

  init(foldedTo: UInt64, time: Int64) {
    self.foldedTo = foldedTo
    lastBatch = foldedTo
    lastTime = time
  }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.changes.bytes.count
    lastBatch = entry.number
    lastTime = entry.time
  }

  /// Returns the entries after the batch `number`.
  ///
  /// They are an array of their own: a slice would make the next commit copy all entries.
  func entries(after number: UInt64) -> [Entry] {
    precondition(foldedTo <= number && number <= lastBatch, "batches are missing from the tail")
    return Array(entries.suffix(Int(lastBatch - number)))
  }

  /// Returns the oldest entries, `bytesMax` bytes of row changes at most, but at least one entry if
  /// there is any: an array of their own too.
  func front(bytesMax: Int) -> [Entry] {
    var count = 0
    var sum = 0
    for entry in entries {
      sum += entry.changes.bytes.count
      if count > 0 && sum > bytesMax { break }
      count += 1
    }
    return Array(entries[..<count])
  }

  /// Forgets the entries up to `number`, which are in the tables now.
  mutating func dropFolded(to number: UInt64) {
    let count = entries.prefix { $0.number <= number }.count
    bytes -= entries[..<count].reduce(0) { $0 + $1.changes.bytes.count }
    entries.removeFirst(count)
    foldedTo = number
  }
}

extension JournalTail.Entry {
  /// The changes to one table.
  func changes(to table: UInt16) throws(StoreError) -> [RowChange] {
    try places(table: table).map(changes.change(at:))
  }

  /// Returns where the changes lie in the bytes. Batches are checked before they come here.
  ///
  /// - Parameter table: the table whose changes alone are given; nil for all.
  func places(table: UInt16? = nil) throws(StoreError) -> [RowChange.Place] {
    do {
      return try changes.places(table: table)
    } catch {
      throw .corrupt("batch \(number) of the journal cannot be read (\(error))")
    }
  }
}
