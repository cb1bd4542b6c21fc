#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension LineWriter {
  /// From now on a fault that ends the process waits for the lines of the log that are not written
  /// yet: what was said last tells the most about it.
  ///
  /// Where nobody reads the log the wait is short. Then the signal goes where it went before.
  static func keepLastLines() { _ = LastLines.areKept }
}

private enum LastLines {
  /// A process that has a fault goes on no longer than this.
  static let stepMilliseconds: Int32 = 10
  static let stepsMax = 50
  static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]
  /// What was done about each signal before, by its number. Written before any handler runs.
  nonisolated(unsafe) static let before =
    UnsafeMutablePointer<sigaction>.allocate(capacity: 65)

  static let areKept: Bool = {
    _ = LineWriter.errors
    var action = sigaction()
    #if canImport(Glibc)
      unsafe action.__sigaction_handler.sa_handler = { LastLines.handle($0) }
    #else
      unsafe action.__sigaction_u.__sa_handler = { LastLines.handle($0) }
    #endif
    // A stack that has overflown takes no handler.
    action.sa_flags = SA_ONSTACK
    return signals.allSatisfy { signal in
      unsafe before.advanced(by: Int(signal)).initialize(to: sigaction())
      return unsafe sigaction(signal, &action, before.advanced(by: Int(signal))) == 0
    }
  }()

  /// Nothing here takes a lock: the thread that has the fault may hold any.
  static func handle(_ signal: Int32) {
    for _ in 0..<stepsMax where !LineWriter.errors.isIdle {
      _ = poll(nil, 0, stepMilliseconds)
    }
    _ = unsafe sigaction(signal, before.advanced(by: Int(signal)), nil)
    raise(signal)
  }
}
