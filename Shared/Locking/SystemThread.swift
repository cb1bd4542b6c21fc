#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads of the system, for what blocks and needs no loop.
package enum SystemThread {
  private final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Runs `body` on a thread of its own, which ends with it.
  /// - Parameter name: shown by debuggers and `top -H`, cut at 15 characters there.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let context = unsafe Unmanaged.passRetained(Body(name, body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = unsafe pthread_create(&thread, nil, { run($0) }, context)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let status = unsafe pthread_create(
        &thread, nil, { context in unsafe SystemThread.run(context.unsafelyUnwrapped) }, context)
      pthread_detach(thread)
    #endif
    precondition(status == 0, "cannot start a thread")
  }

  private static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
    nameCurrent(body.name)
    body.run()
    return nil
  }

  /// Names the calling thread.
  package static func nameCurrent(_ name: String) {
    #if canImport(Darwin)
      unsafe pthread_setname_np(name)
    #else
      // The call for it is hidden behind a feature macro; the kernel offers the same as a file.
      let file = unsafe open("/proc/thread-self/comm", O_WRONLY)
      if file < 0 { return }
      let text = Array(name.utf8.prefix(15))
      unsafe _ = write(file, text, text.count)
      _ = close(file)
    #endif
  }
}
