public import Domain
public import Wire

/// What one group commit writes: everything that arrived while the last one was under way.
public struct Batch: Sendable, Equatable {
  /// Gap-free from 1 for the life of the store.
  public var number: UInt64
  public var changes: RowChanges

  public init(number: UInt64, changes: RowChanges) {
    self.number = number
    self.changes = changes
  }
}

/// Where a service keeps its rows: batches go into a journal, and from there, in the background and
/// coalesced, into tables.
///
/// Invariants, on which the service and every test rely:
/// - a batch is there wholly or not at all, and when `commit` returned it is there for good;
/// - what is read is always the tables with the journal's tail on top, so folding is never seen;
/// - folding a batch twice leaves the same tables as folding it once.
///
/// One thread commits and one thread folds; reads may come from any thread, also while both are
/// under way.
public protocol Store: Sendable {
  /// One life of this store: made when it is created.
  var storeID: StoreID { get }
  /// The last durable batch; 0 when there is none.
  var lastBatch: UInt64 { get }
  /// The time in milliseconds stored with the last batch; 0 when there is none.
  var lastTime: Int64 { get }
  /// Writes a batch; it is durable when this returns. A number that is stored already is done and
  /// is not written again; a number that leaves a gap is refused.
  ///
  /// `.full`: nothing was written, and the same batch may be tried again. `.outcomeUnknown`: only a
  /// reopened store knows; this one refuses every later commit.
  func commit(_ batch: Batch, time: Int64) throws(StoreError)
  /// Every row of a table, encoded, in no particular order, as of the last batch. The bytes are lent
  /// for the call.
  func load(_ table: TableDescription, _ each: (RawSpan) throws -> Void) throws
  /// Encoded rows of a cold table by the order of their encoded keys, as of the last batch.
  func read(_ range: ColdRange) throws(StoreError) -> [[UInt8]]
  /// Moves a bounded step of the journal into the tables; true when there is more to fold.
  func fold() throws(StoreError) -> Bool
  /// Bytes of row changes that are not folded yet.
  var journalBytes: Int { get }
  /// Closes the files; every later call fails. What was committed stays, folded or not.
  func close()
}

/// Bounds of a store. They are defaults: tests use small ones.
public enum StorageLimits {
  /// Past this many unfolded bytes, commits wait for folding. The unfolded tail is also in memory,
  /// so this bounds that memory, and the time a start needs to replay it.
  public static let journalBytesMax = 64 << 20
  /// Bytes of row changes in one fold transaction. Larger steps touch each page of a table less
  /// often; smaller ones keep the write-ahead log of the tables shorter.
  public static let foldBytesMax = 8 << 20
  /// Unfolded bytes that are worth a fold at once; fewer wait up to `foldDelaySecondsMax`, since
  /// rows that change again in that time are then written once.
  public static let foldBytesMin = 4 << 20
  public static let foldDelaySecondsMax = 2.0
  /// Time between two tries of a batch for which the disk had no room.
  public static let fullRetrySeconds = 1.0
}
