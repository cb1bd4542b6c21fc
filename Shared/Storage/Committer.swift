internal import Locking
import Domain

/// Owns the two threads that write: one commits batches, the other folds the journal.
///
/// The service's loop submits one batch at a time, and gathers the next one meanwhile. Callbacks
/// report every outcome and every change of state. They run on these two threads and should only
/// pass the news on to the loop.
///
/// - The disk is full: the committer reports `storageFullChanged(true)` and tries the same batch
///   again until there is room.
/// - The journal is longer than its bound: the commit waits for folding, and nothing fails.
/// - Anything else fails: the committer reports it once and ends both threads. The process is
///   expected to restart.
public final class Committer: Sendable {
  public struct Options: Sendable {
    public var journalBytesMax = StorageLimits.journalBytesMax
    public var foldBytesMin = StorageLimits.foldBytesMin
    public var foldDelaySecondsMax = StorageLimits.foldDelaySecondsMax
    public var fullRetrySeconds = StorageLimits.fullRetrySeconds
    public var cleanPauseSeconds = StorageLimits.cleanPauseSeconds

    public init() {}
  }

  public struct Callbacks: Sendable {
    /// The batch with this number is durable, or it failed. The failure `.full` comes only from
    /// `stop`.
    public var committed: @Sendable (UInt64, Result<Void, StoreError>) -> Void
    /// The disk has become full (true), or has room again (false).
    public var storageFullChanged: @Sendable (Bool) -> Void
    /// Nothing is left in the files of what the batches through this number have replaced or
    /// removed. An error says why that is not so yet; it is tried again.
    public var cleaned: @Sendable (UInt64, Result<Void, StoreError>) -> Void
    /// Folding failed for good. The failure of a commit is reported by `committed` alone.
    public var foldFailed: @Sendable (StoreError) -> Void

    public init(
      committed: @escaping @Sendable (UInt64, Result<Void, StoreError>) -> Void,
      storageFullChanged: @escaping @Sendable (Bool) -> Void = { _ in },
      cleaned: @escaping @Sendable (UInt64, Result<Void, StoreError>) -> Void = { _, _ in },
      foldFailed: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
      self.committed = committed
      self.storageFullChanged = storageFullChanged
      self.cleaned = cleaned
      self.foldFailed = foldFailed
    }
  }

  struct State: Sendable {
    var submitted: (batch: Batch, time: Int64)?
    /// The newest batch after which the files are to be cleaned; nil when they are clean.
    var cleanThrough: UInt64?
    var isStopping = false
    var hasFailed = false
    var isCommitFull = false
    var isFoldFull = false
    var threadsRunning = 2
    var flushMicroseconds: UInt64 = 0
    /// The batch that was given up, since the disk had no room for it at the end.
    var abandoned: UInt64?
  }

  let store: any Store
  let options: Options
  let callbacks: Callbacks
  let state = Locked(State())

  public init(store: any Store, options: Options = Options(), callbacks: Callbacks) {
    self.store = store
    self.options = options
    self.callbacks = callbacks
    start("muster.commit") { $0.commitUntilStopped() }
    start("muster.fold") { $0.foldUntilStopped() }
  }

  /// Hands a batch to the committing thread.
  ///
  /// After a failure was reported, the batch is ignored and nothing more is reported.
  ///
  /// - Precondition: the batch before this one was reported, and `stop` was not called.
  public func submit(_ batch: Batch, time: Int64) {
    state.withLock { state in
      precondition(state.submitted == nil, "batch \(batch.number): one is in flight already")
      precondition(!state.isStopping, "batch \(batch.number): the committer was stopped")
      state.submitted = (batch, time)
    }
    state.wake()
  }

  /// How long the store has written the last batch that is durable, sync included.
  public var flushMicroseconds: UInt64 { state.withLock { $0.flushMicroseconds } }

  /// Cleans the files once the batch `number` is in the tables, and reports it: see `Store.clean`.
  public func clean(through number: UInt64) {
    state.withLock { $0.cleanThrough = max($0.cleanThrough ?? 0, number) }
    state.wake()
  }

  /// Commits the submitted batch, ends both threads and waits for their end. What the journal holds
  /// by then is folded after the next start. A batch that waits for room on a full disk is given up
  /// and reported as `.full`: it is not stored.
  ///
  /// Must not be called from a callback: it would wait for its own thread.
  ///
  /// - Returns: the number of the batch that was given up; nil for none.
  @discardableResult
  public func stop() -> UInt64? {
    state.withLock { $0.isStopping = true }
    state.wake()
    state.wait { $0.threadsRunning == 0 }
    return state.withLock { $0.abandoned }
  }

  private func start(_ name: String, _ body: @escaping @Sendable (Committer) -> Void) {
    SystemThread.start(name) {
      body(self)
      self.state.withLock { $0.threadsRunning -= 1 }
      self.state.wake()
    }
  }

  /// Notes whether the commit or the fold (whichever `flag` names) meets a full disk, and reports
  /// it when that changes the state of the two together.
  func noteFull(_ flag: WritableKeyPath<State, Bool>, _ isFull: Bool) {
    let isNews = state.withLock { state in
      let before = state.isCommitFull || state.isFoldFull
      state[keyPath: flag] = isFull
      return before != (state.isCommitFull || state.isFoldFull)
    }
    if isNews { callbacks.storageFullChanged(isFull) }
  }
}
