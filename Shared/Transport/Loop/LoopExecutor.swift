internal import Locking
internal import CUV
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs actors on the thread of one event loop. It is the one place of this module where threads
/// meet without the compiler's checks.
///
/// It is `Sendable` for these reasons. The initialiser writes `storage` before the thread starts.
/// After that `storage` is used only on the loop's thread, which `loop(for:)` and every libuv
/// callback check. Everything else that threads share is in `inbox` (under a lock) or `owner` (an
/// atomic). The wake-up handle is used under the lock, and not after `isOver` was set there.
@safe
public final class LoopExecutor: SerialExecutor, @unchecked Sendable {
  struct Inbox: Sendable {
    var jobs: [UnownedJob] = []
    /// Mailboxes that have messages.
    var doorsToDrain: [Int] = []
    /// Mailboxes to which nobody can send any more.
    var doorsToRemove: [Int] = []
    var stopRequested = false
    /// Whether the loop was woken and has not looked at the inbox since.
    var isAwake = false
    /// Whether the loop has ended: jobs that arrive now run on a thread of their own.
    var isOver = false
    /// Whether some thread is running the jobs that arrived after the end.
    var isDrainingLate = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var hasEnded = false
  }

  let name: String
  private let inbox = Locked(Inbox())
  /// The thread that runs the jobs.
  private let owner = Atomic<UInt>(0)
  private let storage: Loop
  private let wake: UVHandle
  /// For tests: called by the thread that has filled the inbox, which may be emptied by then.
  private let whenPosted: (@Sendable () -> Void)?
  /// Whether something on the loop's own thread has filled the inbox, so that it is emptied at the
  /// end of this turn.
  private var isFilledHere = false
  private var spareJobs: [UnownedJob] = []

  init(name: String, whenPosted: (@Sendable () -> Void)? = nil) {
    self.name = name
    self.whenPosted = whenPosted
    storage = Loop()
    wake = unsafe UVHandle(size: MemoryLayout<uv_async_t>.size)
    unsafe uv_async_init(storage.uv, wake.memory.assumingMemoryBound(to: uv_async_t.self)) {
      unsafe UVHandle.event($0.map { UnsafeMutableRawPointer($0) })
    }
    wake.adopt()
    storage.executor = self
    wake.body = { [unowned self] _, _ in drain() }
  }

  /// Starts the loop's thread, which keeps the executor alive until it ends.
  func start() {
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe Self.spawn(context) { context in
      let executor = unsafe Unmanaged<LoopExecutor>.fromOpaque(context.unsafelyUnwrapped)
        .takeRetainedValue()
      executor.main { _ in }
    }
  }

  /// Runs the loop on the calling thread, and returns when the loop has ended.
  /// - Parameter first: called on the loop before its first turn.
  func run(_ first: (Loop) -> Void) { main(first) }

  private static func spawn(
    _ context: UnsafeMutableRawPointer, _ body: @convention(c) (UnsafeMutableRawPointer?) -> Void
  ) {
    var thread = uv_thread_t(bitPattern: 0)
    let status = unsafe uv_thread_create(&thread, body, context)
    precondition(status == 0, "cannot start a thread")
    #if canImport(Glibc)
      pthread_detach(thread)
    #endif
  }

  private func main(_ first: (Loop) -> Void) {
    owner.store(Self.currentThread, ordering: .releasing)
    SystemThread.nameCurrent(name)
    signal(SIGPIPE, SIG_IGN)
    first(storage)
    unsafe uv_run(storage.uv, UV_RUN_DEFAULT)
    // From here on nobody may wake the loop. Jobs that arrive are run below, or later by a thread
    // of their own.
    inbox.withLock { inbox in
      inbox.isOver = true
      inbox.isDrainingLate = true
    }
    storage.end()
    repeat { runJobs() } while !endLate()
    let waiters = inbox.withLock { inbox in
      inbox.hasEnded = true
      return inbox.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns the loop to an actor that runs on it.
  ///
  /// It traps unless it is called on the loop's thread. The loop then belongs to the actor's region
  /// and cannot leave it.
  public func loop(for actor: isolated some Actor) -> Loop {
    checkIsolated()
    return storage
  }

  // MARK: Jobs

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The runtime has no reference of its own. As soon as the job is in the inbox, its task may end
    // and release the last one, while this thread is still in `post`.
    let executor = unsafe Unmanaged.passRetained(self)
    defer { unsafe executor.release() }
    post { $0.jobs.append(job) }
  }

  func stop() { post { $0.stopRequested = true } }
  func drain(door: Int) { post { $0.doorsToDrain.append(door) } }
  func remove(door: Int) { post { $0.doorsToRemove.append(door) } }

  /// Waits until the loop's thread has nothing left to do.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let hasEnded = inbox.withLock { inbox in
        if !inbox.hasEnded { inbox.waiters.append(continuation) }
        return inbox.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }

  /// Puts something into the inbox and wakes the loop, unless it was woken already. The loop's own
  /// thread is awake: it saves the two calls into the system.
  private func post(_ add: (inout Inbox) -> Void) {
    let isHere = isCurrent
    let startsLate = inbox.withLock { inbox in
      add(&inbox)
      if inbox.isOver {
        if inbox.isDrainingLate || inbox.jobs.isEmpty { return false }
        inbox.isDrainingLate = true
        return true
      }
      if !inbox.isAwake {
        inbox.isAwake = true
        if isHere {
          isFilledHere = true
        } else {
          unsafe uv_async_send(wake.memory.assumingMemoryBound(to: uv_async_t.self))
        }
      }
      return false
    }
    whenPosted?()
    if startsLate { drainLate() }
    if isHere && isFilledHere { storage.hurry() }
  }

  /// Does what the loop's own thread has asked for in this turn.
  func endTurn() {
    if !isFilledHere { return }
    isFilledHere = false
    drain()
  }

  /// Does what other threads asked for since the last wake-up.
  private func drain() {
    let (doorsToDrain, doorsToRemove, stopRequested) = inbox.withLock { inbox in
      let taken = (inbox.doorsToDrain, inbox.doorsToRemove, inbox.stopRequested)
      inbox.doorsToDrain.removeAll()
      inbox.doorsToRemove.removeAll()
      inbox.isAwake = false
      return taken
    }
    runJobs()
    for door in doorsToDrain { storage.drainDoor(door) }
    for door in doorsToRemove { storage.removeDoor(door) }
    if stopRequested { storage.shutDown() }
  }

  private func runJobs() {
    // The array comes back empty: two take turns, so that no job allocates.
    var jobs: [UnownedJob] = []
    swap(&jobs, &spareJobs)
    inbox.withLock { inbox in swap(&jobs, &inbox.jobs) }
    for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    jobs.removeAll(keepingCapacity: true)
    spareJobs = jobs
  }

  /// Runs jobs that came after the end on a thread of their own, so that nobody awaits them for
  /// ever. The loop that they see has ended and does nothing.
  private func drainLate() {
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe Self.spawn(context) { context in
      let executor = unsafe Unmanaged<LoopExecutor>.fromOpaque(context.unsafelyUnwrapped)
        .takeRetainedValue()
      executor.runLate()
    }
  }

  private func runLate() {
    owner.store(Self.currentThread, ordering: .releasing)
    repeat { runJobs() } while !endLate()
  }

  /// Returns whether no jobs are left; the thread that runs late jobs then ends.
  private func endLate() -> Bool {
    inbox.withLock { inbox in
      inbox.isDrainingLate = !inbox.jobs.isEmpty
      return !inbox.isDrainingLate
    }
  }

  // MARK: Isolation

  var isCurrent: Bool { owner.load(ordering: .acquiring) == Self.currentThread }

  public func checkIsolated() {
    precondition(isCurrent, "not on the thread of the loop \(name)")
  }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private static var currentThread: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
