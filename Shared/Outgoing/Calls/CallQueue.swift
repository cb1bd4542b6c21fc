internal import CCurl
internal import Locking

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A call as it goes to the thread.
struct QueuedCall: Sendable {
  var request: HTTPSRequest
  var deadline: SuspendingClock.Instant
  /// Called once, on the thread.
  var answer: @Sendable (Result<HTTPSResponse, HTTPSError>) -> Void
}

/// Hands calls to the thread and counts them: what loops and the thread share.
///
/// It owns libcurl's object for all calls of a client. Only the thread uses that, but for
/// `curl_multi_wakeup`, which any thread may call; the lock keeps it from coming after the object's
/// end.
@safe
final class CallQueue: Sendable {
  struct Arrivals {
    var calls: [QueuedCall]
    var isStopped: Bool
  }
  private struct State: Sendable {
    var arrived: [QueuedCall] = []
    /// Calls that are not answered yet.
    var heldCount = 0
    var isStopped = false
    /// Whether libcurl's object is freed.
    var isOver = false
  }

  let settings: HTTPSSettings
  nonisolated(unsafe) let multi: UnsafeMutableRawPointer
  private let state = Locked(State())

  init(_ settings: HTTPSSettings) {
    self.settings = settings
    guard let multi = unsafe curl_multi_init() else { preconditionFailure("no memory") }
    unsafe self.multi = multi
  }

  var heldCount: Int { state.withLock { $0.heldCount } }

  /// Adds a call, unless there are too many or the client was stopped.
  func add(
    _ request: HTTPSRequest,
    _ answer: @escaping @Sendable (Result<HTTPSResponse, HTTPSError>) -> Void
  ) throws(HTTPSError) {
    let deadline = SuspendingClock.now.advanced(by: .milliseconds(settings.callMillisecondsMax))
    try state.withLock { state throws(HTTPSError) in
      if state.isStopped { throw .stopped }
      if state.heldCount >= settings.callsMax + settings.waitingMax { throw .busy }
      state.heldCount += 1
      state.arrived.append(QueuedCall(request: request, deadline: deadline, answer: answer))
      unsafe curl_multi_wakeup(multi)
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      if !state.isOver { unsafe curl_multi_wakeup(multi) }
    }
  }

  // MARK: The thread's side

  func take() -> Arrivals {
    state.withLock { state in
      let taken = Arrivals(calls: state.arrived, isStopped: state.isStopped)
      state.arrived = []
      return taken
    }
  }

  /// Answers a call. It gives back the place first: who hears of the end may call again at once.
  func finish(_ call: QueuedCall, _ result: Result<HTTPSResponse, HTTPSError>) {
    state.withLock { $0.heldCount -= 1 }
    call.answer(result)
  }

  /// Frees libcurl's object.
  func end() {
    state.withLock { state in
      state.isOver = true
      unsafe _ = curl_multi_cleanup(multi)
    }
  }
}

/// A write to a closed connection returns an error then, and does not end the process.
func signalPipeIgnored() { _ = signal(SIGPIPE, SIG_IGN) }
