extension MusterClient {
  /// Makes one call and gives its reply.
  ///
  /// The call waits for the connection where there is none, and is repeated where its answer was lost,
  /// until `deadline`. A changing call carries an idempotency key: repeated or not, it has the effect
  /// of one.
  ///
  /// - Parameters:
  ///   - operation: what to ask for.
  ///   - deadline: how long it may take in all; nil takes the configuration's.
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
    let id = try core().reserveCall()
    let result = await withTaskCancellationHandler {
      await self.answer(id, request, within: milliseconds)
    } onCancel: {
      Task { await self.cancel(id) }
    }
    return try result.get()
  }

  // A method of its own: a closure that does not use `self` would not be isolated to this actor, and
  // the handler's operation would run on any thread.
  private func answer(_ id: UInt64, _ request: CallBook.Request, within milliseconds: UInt64)
    async -> Result<[UInt8], MusterError>
  {
    await withCheckedContinuation { continuation in
      do throws(MusterError) {
        let core = try core()
        core.call(id, request, within: milliseconds) { continuation.resume(returning: $0) }
        if Task.isCancelled { core.cancel(id) }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }

  private func cancel(_ id: UInt64) { try? core().cancel(id) }
}
