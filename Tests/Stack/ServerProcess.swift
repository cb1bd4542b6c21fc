import Locking
public import Foundation

/// One of Muster's processes, started by a test and ended by its own id.
public final class ServerProcess: Sendable {
  public struct Failed: Error, CustomStringConvertible {
    public let description: String
  }

  /// What the process has written so far and whether it has ended. Foundation's callbacks change
  /// it.
  private final class Life: Sendable {
    let state = Locked(State())

    /// Reads a stream to its end on a thread of its own, so that nothing is missed.
    func read(
      _ stream: Stream, _ handle: FileHandle,
      _ add: @escaping @Sendable (inout State, String) -> Void
    ) {
      Thread.detachNewThread { [self] in
        while true {
          let data = handle.availableData
          if data.isEmpty { break }
          let text = String(decoding: data, as: UTF8.self)
          change { add(&$0, text) }
        }
        // Foundation keeps the pipes of a process that has ended, and starts none safely when more
        // than about 1,300 descriptors are open.
        try? handle.close()
        change { _ = $0.openStreams.remove(stream) }
      }
    }

    func change(_ body: (inout State) -> Void) {
      let waiters = state.withLock { state in
        body(&state)
        let waiters = state.waiters
        state.waiters = []
        return waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  private enum Stream { case output, errors }

  private struct State {
    var output = ""
    var errors = ""
    var status: Int32?
    /// The streams whose end was not reached: after the process has ended, what it wrote last may
    /// still be in them. A set, because Foundation may report an end more than once.
    var openStreams: Set<Stream> = [.output, .errors]
    var isWholeOutput: Bool { status != nil && openStreams.isEmpty }
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  public let name: String
  public let identifier: Int32
  private let life = Life()
  /// The process's streams. They live as long as this object, because they end after the process.
  private let pipes: [Pipe]

  /// - Parameters:
  ///   - input: what the process reads; nothing when nil.
  ///   - readsOutput: false to leave the process's standard output unread.
  ///   - readsErrors: false to leave its standard error unread until `readErrors`.
  public init(
    name: String, executable: URL, arguments: [String], environment: [String: String] = [:],
    input: Pipe? = nil, readsOutput: Bool = true, readsErrors: Bool = true
  ) throws {
    self.name = name
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("MUSTER_") }
      .merging(environment) { $1 }
    process.standardInput = input ?? FileHandle.nullDevice as Any
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    pipes = [output, errors]
    // Set before the process runs: for a process that ends at once a later handler is never called.
    let life = life
    life.change { state in
      if !readsOutput { state.openStreams.remove(.output) }
      if !readsErrors { state.openStreams.remove(.errors) }
    }
    process.terminationHandler = { ended in
      let status =
        ended.terminationReason == .exit ? ended.terminationStatus : -ended.terminationStatus
      life.change { $0.status = status }
    }
    try process.run()
    identifier = process.processIdentifier
    if readsErrors { life.read(.errors, errors.fileHandleForReading) { $0.errors += $1 } }
    if readsOutput { life.read(.output, output.fileHandleForReading) { $0.output += $1 } }
  }

  /// Begins to read standard error, which was left unread.
  public func readErrors() {
    life.change { _ = $0.openStreams.insert(.errors) }
    life.read(.errors, pipes[1].fileHandleForReading) { $0.errors += $1 }
  }

  public var output: String { life.state.withLock { $0.output } }
  public var errors: String { life.state.withLock { $0.errors } }
  /// The exit code, or the negative number of the signal that ended it.
  public var status: Int32? { life.state.withLock { $0.status } }

  public func signal(_ number: Int32) {
    if status == nil { kill(identifier, number) }
  }

  /// Waits until the process has ended and all of its output is read. Returns its status.
  @discardableResult
  public func ended() async -> Int32 {
    await wait { $0.isWholeOutput }
    return status ?? 0
  }

  /// Waits until the process prints that it is ready; throws when the process ends first.
  public func ready() async throws {
    await wait { $0.output.contains(" ready on port ") || $0.status != nil }
    guard output.contains(" ready on port ") else {
      await ended()
      throw Failed(description: "\(name) ended with \(status ?? 0):\n\(errors)")
    }
  }

  /// Waits until standard error contains `text`; false when the process ended without it.
  @discardableResult
  public func logged(_ text: String) async -> Bool {
    await wait {
      $0.errors.contains(text) || $0.isWholeOutput
    }
    return errors.contains(text)
  }

  /// Waits until standard error contains `text` so many times; false when the process ended before.
  @discardableResult
  public func logged(_ text: String, times: Int) async -> Bool {
    await wait {
      $0.errors.components(separatedBy: text).count > times || $0.isWholeOutput
    }
    return errors.components(separatedBy: text).count > times
  }

  /// The same for what comes after so many characters.
  public func logged(_ text: String, after count: Int) async -> Bool {
    await wait {
      $0.errors.dropFirst(count).contains(text) || $0.isWholeOutput
    }
    return errors.dropFirst(count).contains(text)
  }

  /// Waits until standard output contains `text`; false when the process ended without it.
  public func printed(_ text: String) async -> Bool {
    await wait {
      $0.output.contains(text) || $0.isWholeOutput
    }
    return output.contains(text)
  }

  /// Waits until `isWanted` is true of standard output; false when the process ended before.
  public func printed(_ isWanted: @escaping @Sendable (String) -> Bool) async -> Bool {
    await wait {
      isWanted($0.output) || $0.isWholeOutput
    }
    return isWanted(output)
  }

  /// A test whose time is over is cancelled: what it waits for is ended then, so that the test
  /// ends.
  private func wait(until isDone: @escaping @Sendable (borrowing State) -> Bool) async {
    await withTaskCancellationHandler {
      while !life.state.withLock({ isDone($0) }) { await nextChange(unless: isDone) }
    } onCancel: {
      signal(SIGKILL)
    }
  }

  private func nextChange(unless isDone: @escaping @Sendable (borrowing State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDoneAlready = life.state.withLock { state in
        if isDone(state) { return true }
        state.waiters.append(continuation)
        return false
      }
      if isDoneAlready { continuation.resume() }
    }
  }
}

extension ServerProcess {
  /// Waits until a server prints its port, as in `listening 4711`, and returns the port.
  public func port() async throws -> UInt16 {
    await wait { $0.output.contains("listening ") && $0.output.hasSuffix("\n") || $0.status != nil }
    guard let word = output.split(whereSeparator: \.isWhitespace).last, let port = UInt16(word)
    else { throw Failed(description: "\(name) ended with \(status ?? 0): \(errors)") }
    return port
  }
}
