internal import Synchronization

extension MusterClient {
  /// Makes one call and gives its reply.
  ///
  /// The call waits for the connection where there is none, and is repeated where its answer was lost,
  /// until `deadline`. A changing call carries an idempotency key: repeated or not, it has the effect
  /// of one.
  ///
  /// - Parameter deadline: how long it may take in all; nil takes the configuration's.
  /// - Throws: `deadlineExceeded` when time is up, `cancelled` when the task was cancelled, both with
  ///   `isOutcomeUnknown` where the server may have carried it out; `notAuthenticated` before sign-in;
  ///   `backpressure` when too many calls wait; otherwise what the server said.
  public nonisolated func call<O: Operation>(_ operation: O, deadline: Duration? = nil)
    async throws(MusterError) -> O.Reply
  {
    let request = CallBook.Request(operation)
    let limit = deadline ?? configuration.callDeadline
    let body = try await perform(request, within: limit.milliseconds)
    do {
      return try O.Reply(decoding: body)
    } catch {
      throw MusterError(.malformed, "The reply to \(O.name) cannot be read: \(error).")
    }
  }

  func perform(_ request: CallBook.Request, within milliseconds: UInt64)
    async throws(MusterError) -> [UInt8]
  {
    let core = try core()
    let id = core.reserveCall()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        core.call(id, request, within: milliseconds) { continuation.resume(returning: $0) }
        if Task.isCancelled { core.cancel(id) }
      }
    } onCancel: {
      Task { await self.cancel(id) }
    }
    return try result.get()
  }

  private func cancel(_ id: UInt64) { try? core().cancel(id) }
}
