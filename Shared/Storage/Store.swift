public import Domain
public import Wire

/// What one group commit writes: the row changes of everything that arrived while the commit before
/// it was under way.
public struct Batch: Sendable, Equatable {
  /// Counts from 1 without a gap, for the life of the store.
  public var number: UInt64
  public var changes: RowChanges

  public init(number: UInt64, changes: RowChanges) {
    self.number = number
    self.changes = changes
  }
}

/// Where a service keeps its rows. Batches go into a journal; in the background they are folded
/// from there into tables, where each row is written once for all its changes.
///
/// The service and every test rely on these invariants:
/// - a batch is stored wholly or not at all, and it is stored for good when `commit` has returned;
/// - a read sees the tables with the unfolded end of the journal on top, so it never sees a fold;
/// - folding a batch twice leaves the same tables as folding it once.
///
/// One thread commits and one thread folds. Any thread may read, also while both are under way.
public protocol Store: Sendable {
  /// Names one life of the store: it is chosen at random when the store is created.
  var storeID: StoreID { get }
  /// The number of the last durable batch; 0 when there is none.
  var lastBatch: UInt64 { get }
  /// The time stored with the last batch, in milliseconds since 1970; 0 when there is none.
  var lastTime: Int64 { get }
  /// Writes a batch, which is durable when this returns. A batch whose number is stored already is
  /// not written again, and that is no error.
  ///
  /// Throws `.other` when the number leaves a gap. Throws `.full` when the disk has no room:
  /// nothing was written, and the same batch may be tried again. Throws `.outcomeUnknown` when only
  /// a reopened store can tell whether the batch was written; this one refuses every later commit.
  func commit(_ batch: Batch, time: Int64) throws(StoreError)
  /// Calls `each` with every row of a table, encoded, in no particular order, as of the last batch.
  /// The bytes are lent for the length of the call. An error of `each` ends the loading and is
  /// thrown on.
  func load(_ table: TableDescription, _ each: (RawSpan) throws -> Void) throws
  /// Returns the encoded rows of a range of a cold table, in the order of their encoded keys, as of
  /// the last batch.
  func read(_ range: ColdRange) throws(StoreError) -> [[UInt8]]
  /// Moves a bounded part of the journal into the tables. Returns whether there is more to fold.
  func fold() throws(StoreError) -> Bool
  /// The newest batch that is in the tables.
  var foldedTo: UInt64 { get }
  /// Rewrites the files, so that nothing is left in them of rows that were replaced or removed by
  /// the batches through `number`, which are in the tables (rule 7.3). Otherwise such bytes stay
  /// until their place is taken.
  ///
  /// Throws `.full` where there is no room for a copy of the tables, and `.inUse` while a reader
  /// needs the old pages: nothing is lost then, and it may be tried again, which repeats only what
  /// is missing. It takes about a second for a million rows, in which nothing is folded; commits
  /// wait only for the rewriting of the journal.
  func clean(through number: UInt64) throws(StoreError)
  /// Bytes of row changes that are not folded yet.
  var journalBytes: Int { get }
  /// The time stored with the oldest batch that is not folded yet, in milliseconds since 1970; nil
  /// when there is none.
  var unfoldedSince: Int64? { get }
  /// Closes the files; every later call fails. What was committed stays, folded or not.
  func close()
}

extension Store {
  public var unfoldedSince: Int64? { nil }

  /// Cleans the files of what all batches that are in the tables have replaced or removed.
  package func clean() throws(StoreError) { try clean(through: foldedTo) }
}

/// The default bounds of a store; tests set smaller ones.
public enum StorageLimits {
  /// Unfolded bytes past which commits wait for folding. The unfolded end of the journal is also
  /// kept in memory, so this bounds that memory, and the time that a start needs to replay it.
  public static let journalBytesMax = 64 << 20
  /// The most bytes of row changes in one fold transaction. Larger ones touch each page of a table
  /// less often; smaller ones keep the write-ahead log of the tables shorter.
  public static let foldBytesMax = 16 << 20
  /// Unfolded bytes from which on a fold starts at once. Fewer wait up to `foldDelaySecondsMax`,
  /// because a row that changes again in that time is then written only once.
  public static let foldBytesMin = 16 << 20
  public static let foldDelaySecondsMax = 2.0
  /// The least time between two cleanings, since what is to be folded while files are rewritten has
  /// to wait. So long each waits for others that are asked for.
  public static let cleanPauseSeconds = 5.0
  /// Time between two tries of a batch for which the disk had no room.
  public static let fullRetrySeconds = 1.0
}
