public import Wire

/// What can go wrong with a store, as far as a caller would act differently.
public enum StoreError: Error, Equatable, Sendable {
  /// No room on the disk: nothing was written, and the same batch may be tried again.
  case full
  /// An input or output error: the process must stop; the number found at the next start decides.
  case outcomeUnknown(String)
  /// There is no store here, or a part of it is gone.
  case missing(String)
  /// A newer version of the software wrote this store: the found number is that of its layout, of
  /// a journal row's format or of a table's columns.
  case newerSchema(found: Int, known: Int)
  /// The files contradict themselves or the tables' descriptions.
  case corrupt(String)
  /// The store holds the rows of another partition than the one it was opened for: opened all the
  /// same, it would hide those whose slots are not asked for here, and lack the others.
  case otherPartition(found: Partition, wanted: Partition)
  /// Another process has this store open.
  case inUse(String)
  case other(String)
}

extension StoreError: CustomStringConvertible {
  /// A sentence that a person who runs the service understands.
  public var text: String {
    switch self {
    case .full:
      "The disk of the store is full. Nothing was written; free some space and it goes on by itself."
    case .outcomeUnknown(let what):
      "The store failed in the middle of its work (\(what)). "
        + "The process must restart; what is stored then decides."
    case .missing(let what):
      "There is no store at \(what)."
    case .newerSchema(let found, let known):
      "The store was written by a newer version: it is at \(found), this version knows \(known). "
        + "Start the newer version, or restore a backup."
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

  public var description: String { text }
}
