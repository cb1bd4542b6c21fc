extension MusterClient {
  /// Makes one call and returns its reply.
  ///
  /// Without a connection the call waits for one, and if its answer is lost it is repeated, until
  /// `deadline`. A call that changes something carries an idempotency key, so that it has the
  /// effect of one call however often it is repeated.
  ///
  /// - Parameters:
  ///   - operation: the operation to call.
  ///   - deadline: how long the call may take with all repetitions; nil takes the configuration's
  ///     `callDeadline`.
  /// - Throws: `deadlineExceeded` when the time is up, `cancelled` when the task was cancelled,
  ///   both with `isOutcomeUnknown` if the server may have carried the call out; `notAuthenticated`
  ///   before sign-in; `backpressure` when too many calls wait; otherwise the server's failure.
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

  // This is a method because a closure that does not use `self` would not be isolated to this
  // actor: the body of the cancellation handler would run on any thread.
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
