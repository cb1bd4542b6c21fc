internal import Locking
internal import CUV
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs actors on the thread of one event loop: the one reviewed door between threads.
///
/// What makes `@unchecked` true here: `storage` is written by the initialiser, before the thread
/// starts, and used only on the loop's thread, which `loop(for:)` and every libuv callback check;
/// all else that threads share is in `inbox` (a mutex) or `owner` (an atomic). The pointer of the
/// wake-up handle is used under the mutex, and not after `isOver` was set there.
@safe
public final class LoopExecutor: SerialExecutor, @unchecked Sendable {
  struct Inbox: Sendable {
    var jobs: [UnownedJob] = []
    /// Mailboxes with something in them, and those that nobody can send to any more.
    var doors: [Int] = []
    var retired: [Int] = []
    var stopRequested = false
    var isAwake = false
    /// The loop has ended: what arrives now runs on a thread of its own.
    var isOver = false
    var isDrainingLate = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var hasEnded = false
  }

  let name: String
  private let inbox = Locked(Inbox())
  private let owner = Atomic<UInt>(0)
  private let storage: Loop
  private let wake: UVHandle

  init(name: String) {
    self.name = name
    storage = Loop()
    wake = unsafe UVHandle(size: MemoryLayout<uv_async_t>.size)
    unsafe uv_async_init(storage.uv, wake.memory.assumingMemoryBound(to: uv_async_t.self)) {
      unsafe UVHandle.event($0.map { UnsafeMutableRawPointer($0) })
    }
    wake.adopt()
    storage.executor = self
    wake.body = { [unowned self] _, _ in drain() }
  }

  /// Starts the thread; it keeps the executor alive until it ends.
  func start() {
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    unsafe Self.spawn(context) { context in
      let executor = unsafe Unmanaged<LoopExecutor>.fromOpaque(context.unsafelyUnwrapped)
        .takeRetainedValue()
      executor.main { _ in }
    }
  }

  /// Runs the loop on the calling thread, and returns when it has ended.
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
    // From here on nobody may wake the loop; what arrives is run below or by a thread of its own.
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

  /// The loop, for an actor that runs on it.
  ///
  /// Checks at run time that the actor's executor is this one and that its thread is running;
  /// the loop then belongs to the actor's region and cannot leave it.
  public func loop(for actor: isolated some Actor) -> Loop {
    checkIsolated()
    return storage
  }

  // MARK: Jobs

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    post { $0.jobs.append(job) }
  }

  func stop() { post { $0.stopRequested = true } }
  func open(door: Int) { post { $0.doors.append(door) } }
  func retire(door: Int) { post { $0.retired.append(door) } }

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

  private func post(_ add: (inout Inbox) -> Void) {
    let startsLate = inbox.withLock { inbox in
      add(&inbox)
      if inbox.isOver {
        if inbox.isDrainingLate || inbox.jobs.isEmpty { return false }
        inbox.isDrainingLate = true
        return true
      }
      if !inbox.isAwake {
        inbox.isAwake = true
        unsafe uv_async_send(wake.memory.assumingMemoryBound(to: uv_async_t.self))
      }
      return false
    }
    if startsLate { drainLate() }
  }

  /// One wake-up: everything that other threads asked for since the last one.
  private func drain() {
    let taken = inbox.withLock { inbox in
      let taken = (inbox.doors, inbox.retired, inbox.stopRequested)
      inbox.doors.removeAll()
      inbox.retired.removeAll()
      inbox.isAwake = false
      return taken
    }
    runJobs()
    for door in taken.0 { storage.drainDoor(door) }
    for door in taken.1 { storage.removeDoor(door) }
    if taken.2 { storage.shutDown() }
  }

  private func runJobs() {
    let jobs = inbox.withLock { inbox in
      let jobs = inbox.jobs
      inbox.jobs.removeAll()
      return jobs
    }
    for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// A job that comes after the end still runs, so that nobody awaits it for ever; the loop it sees
  /// has ended and does nothing.
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
