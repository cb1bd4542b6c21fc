internal import Locking
import Domain

/// Owns the two threads that write: one commits batches, the other folds the journal.
///
/// The service's loop submits one batch at a time and gathers the next meanwhile. Every outcome and
/// every change of state is told by callbacks, which run on these threads; they should only pass
/// the news on to the loop.
///
/// - No room: `storageFullChanged(true)`, and the same batch is tried again until there is.
/// - Journal past its bound: the commit waits for folding; nothing fails.
/// - Any other failure: told once, then both threads end; the process is expected to restart.
public final class Committer: Sendable {
  public struct Options: Sendable {
    public var journalBytesMax = StorageLimits.journalBytesMax
    public var foldBytesMin = StorageLimits.foldBytesMin
    public var foldDelaySecondsMax = StorageLimits.foldDelaySecondsMax
    public var fullRetrySeconds = StorageLimits.fullRetrySeconds

    public init() {}
  }

  public struct Callbacks: Sendable {
    /// The batch is durable, or it failed. `.full` comes only from `stop`.
    public var committed: @Sendable (UInt64, Result<Void, StoreError>) -> Void
    public var storageFullChanged: @Sendable (Bool) -> Void
    /// Folding failed for good. A commit's failure is told by `committed` alone.
    public var foldFailed: @Sendable (StoreError) -> Void

    public init(
      committed: @escaping @Sendable (UInt64, Result<Void, StoreError>) -> Void,
      storageFullChanged: @escaping @Sendable (Bool) -> Void = { _ in },
      foldFailed: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
      self.committed = committed
      self.storageFullChanged = storageFullChanged
      self.foldFailed = foldFailed
    }
  }

  struct State: Sendable {
    var submitted: (batch: Batch, time: Int64)?
    var isStopping = false
    var hasFailed = false
    var isCommitFull = false
    var isFoldFull = false
    var threadsRunning = 2
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
  /// After a failure was told, nothing is done with it and nothing more is told.
  ///
  /// - Precondition: the one before was reported; the service gathers meanwhile.
  public func submit(_ batch: Batch, time: Int64) {
    state.withLock { state in
      precondition(state.submitted == nil, "batch \(batch.number): one is in flight already")
      precondition(!state.isStopping, "batch \(batch.number): the committer was stopped")
      state.submitted = (batch, time)
    }
    state.wake()
  }

  /// Commits what was submitted, ends both threads and waits for them. What is in the journal stays
  /// there for the next start. A batch that waits for room on a full disk is given up: it is
  /// reported as `.full`.
  ///
  /// Not to be called from a callback.
  public func stop() {
    state.withLock { $0.isStopping = true }
    state.wake()
    state.wait { $0.threadsRunning == 0 }
  }

  private func start(_ name: String, _ body: @escaping @Sendable (Committer) -> Void) {
    SystemThread.start(name) {
      body(self)
      self.state.withLock { $0.threadsRunning -= 1 }
      self.state.wake()
    }
  }

  /// Notes that the commit or the fold met a full disk or no longer does, and tells a change.
  func noteFull(_ flag: WritableKeyPath<State, Bool>, _ isFull: Bool) {
    let isNews = state.withLock { state in
      let before = state.isCommitFull || state.isFoldFull
      state[keyPath: flag] = isFull
      return before != (state.isCommitFull || state.isFoldFull)
    }
    if isNews { callbacks.storageFullChanged(isFull) }
  }
}
