public import Wire

/// What can go wrong with a store; one case for everything on which a caller acts differently.
public enum StoreError: Error, Equatable, Sendable {
  /// The disk has no room: nothing was written, and the same batch may be tried again.
  case full
  /// Reading or writing failed half way: the process must stop, and the number of the last batch
  /// that the next start finds tells whether the batch was written.
  case outcomeUnknown(String)
  /// There is no store at this path.
  case missing(String)
  /// This file of the store is gone, and others are there.
  case incomplete(missing: String)
  /// A newer version of the software wrote this store. The numbers are formats of the store, or
  /// versions of the layout or of a journal row's format; `known` are those that this one reads.
  case newerSchema(found: Int, known: ClosedRange<Int>)
  /// A newer version of the software wrote this store. The numbers are counts of a table's columns.
  case newerTable(String, found: Int, known: Int)
  /// A newer version of the software wrote this store: it has these tables, which this one does not
  /// know.
  case unknownTables([String])
  /// A version of the software wrote this store whose rows this one does not read. The numbers are
  /// formats of the store; `known` are those that this version reads.
  case olderFormat(found: Int, known: ClosedRange<Int>)
  /// The files contradict themselves or the tables' descriptions.
  case corrupt(String)
  /// The store holds the rows of another partition than the one it was opened for. Opened all the
  /// same, it would hide the rows of slots that this process does not serve, and lack the rows of
  /// those that it does.
  case otherPartition(found: Partition, wanted: Partition)
  /// Another process has this store open.
  case inUse(String)
  case other(String)
}

extension StoreError: CustomStringConvertible {
  /// The sentence for a process that ends because it cannot open its store.
  public var textAtStart: String {
    guard self == .full else { return text }
    return "The disk of the store is full, so that the store cannot be opened. Free some space, "
      + "and start the process again: it takes up the files that are there."
  }

  /// A sentence that a person who runs the service understands.
  public var text: String {
    switch self {
    case .full:
      "The disk of the store is full. Nothing was written. Free some space, and the process goes "
        + "on by itself."
    case .outcomeUnknown(let what):
      "The store failed in the middle of its work (\(what)). "
        + "The process must restart: only what is stored tells whether the last batch was written."
    case .missing(let what):
      "There is no store at \(what)."
    case .incomplete(let file):
      "A part of the store is missing: \(file). Do not begin anew: put the file back, or restore "
        + "the store from a backup."
    case .newerSchema(let found, let known):
      "The store was written by a newer version: its format is \(found), and this version reads "
        + "\(Self.formats(known)). Nothing in it was changed. Start the newer version, or restore a "
        + "backup."
    case .newerTable(let table, let found, let known):
      "The store was written by a newer version: table \(table) has \(found) columns, and this "
        + "version knows \(known). Nothing in it was changed. Start the newer version, or restore a "
        + "backup."
    case .unknownTables(let tables):
      "The store was written by a newer version: it has tables that this version does not know "
        + "(\(tables.joined(separator: ", "))). Nothing in it was changed. Start the newer version, "
        + "or restore a backup."
    case .olderFormat(let found, let known):
      "The store was written by an older version in format \(found), and this version reads "
        + "\(Self.formats(known)). Nothing in it was changed. Start the older version, or name an "
        + "empty data directory."
    case .corrupt(let what):
      "The store is damaged: \(what)."
    case .otherPartition(let found, let wanted):
      "The store was written as partition \(found), not as \(wanted). Start it as partition \(found), "
        + "or name the data directory of partition \(wanted); the number of partitions is fixed for "
        + "as long as the stores live."
    case .inUse(let what):
      "The store is in use by another process: \(what)."
    case .other(let what):
      "The store refused: \(what)."
    }
  }

  private static func formats(_ known: ClosedRange<Int>) -> String {
    known.count == 1
      ? "format \(known.lowerBound)" : "formats \(known.lowerBound) to \(known.upperBound)"
  }

  public var description: String { text }
}
