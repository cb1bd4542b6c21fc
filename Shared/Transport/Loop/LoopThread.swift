internal import CUV

/// A thread with an event loop, as the rest of the program sees it.
///
/// The loop is the actor's executor, so the actor's isolated methods run on the loop's thread and
/// may use the loop directly. Other actors join the same thread by naming `executor` as theirs.
public actor LoopThread {
  public nonisolated let executor: LoopExecutor

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// How many loops can run at once: the number of cores that this process may use.
  public static var availableParallelism: Int { Int(uv_available_parallelism()) }

  /// Starts the thread.
  /// - Parameter name: what debuggers and `top -H` show, cut at 15 characters.
  public init(name: String) { self.init(name: name, whenPosted: nil) }

  /// - Parameter whenPosted: see `LoopExecutor.whenPosted`.
  init(name: String, whenPosted: (@Sendable () -> Void)?) {
    executor = LoopExecutor(name: name, whenPosted: whenPosted)
    executor.start()
  }

  deinit { executor.stop() }

  /// Runs a loop on the calling thread, for a program that needs no other thread: system calls are
  /// cheaper in a process of one thread. The loop runs for as long as the process. The thread gets
  /// the name.
  /// - Parameter body: called on the loop before its first turn.
  public static func runHere(name: String, _ body: (Loop) -> Void) {
    LoopExecutor(name: name).run(body)
  }

  /// Runs `body` on the loop's thread.
  public func run<Value: Sendable>(_ body: @Sendable (Loop) throws -> Value) async rethrows -> Value
  {
    try body(executor.loop(for: self))
  }

  /// Closes everything that is open on the loop (connections get `.local`, calls get
  /// `.disconnected`) and ends the thread. May be called more than once and from any thread.
  public nonisolated func stop() { executor.stop() }

  /// Returns when the thread has ended.
  public nonisolated func stopped() async { await executor.waitForEnd() }
}
