internal import Synchronization

/// A call on its way from the task that waits for it to the client's loop. It answers the task
/// exactly once: where it is dropped on the way, because the loop has ended, when it is released.
@safe
final class PendingCall: Sendable {
  let id: UInt64
  let request: CallBook.Request
  let milliseconds: UInt64
  private let waiter: UnsafeContinuation<Result<[UInt8], MusterError>, Never>
  private let isAnswered = Atomic(false)

  init(
    _ id: UInt64, _ request: CallBook.Request, within milliseconds: UInt64,
    _ waiter: UnsafeContinuation<Result<[UInt8], MusterError>, Never>
  ) {
    self.id = id
    self.request = request
    self.milliseconds = milliseconds
    unsafe self.waiter = waiter
  }

  deinit { answer(.failure(.clientClosed)) }

  func answer(_ result: Result<[UInt8], MusterError>) {
    let wasAnswered = isAnswered.exchange(true, ordering: .relaxed)
    // A second answer would bring the process down, so the flag makes the continuation safe.
    if !wasAnswered { unsafe waiter.resume(returning: result) }
  }
}

/// Who waits for the answer to a call.
enum CallWaiter {
  case task(PendingCall)
  /// Something on the loop, which hears of the answer at once.
  case closure(CallBook.Request, (Result<[UInt8], MusterError>) -> Void)

  var request: CallBook.Request {
    switch self {
    case .task(let call): call.request
    case .closure(let request, _): request
    }
  }
}

/// What tasks ask of a client on its loop, in the order in which they ask.
enum ClientOrder: Sendable {
  case call(PendingCall)
  /// The call with this id, if it is still open.
  case cancel(UInt64)
  /// Nobody holds the client any more.
  case close
}
