internal import Transport

extension MusterClient {
  /// Makes one call and returns its reply.
  ///
  /// Without a connection the call waits for one, and if its answer is lost it is repeated, until
  /// `deadline`. A call that changes something carries an idempotency key, so that it has the
  /// effect of one call however often it is repeated.
  ///
  /// `FindMatch` and `InvitePlayers` begin what waits for the player, and only their replies tell
  /// its id. When the task is cancelled after such a call was sent, the reply is returned all the
  /// same: call `ticketOutcome`, which cancels the ticket then, or `CancelMatchInvite`.
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

  /// The task waits here and not on the client's actor, so that the answer wakes it where it goes
  /// on: a way over the actor would put each call through two more queues.
  nonisolated func perform(_ request: CallBook.Request, within milliseconds: UInt64)
    async throws(MusterError) -> [UInt8]
  {
    let id = status.nextCallID()
    var known = status.entrance
    if known == nil { known = try await open() }
    guard let entrance = known else { throw .clientClosed }
    let result = await withTaskCancellationHandler {
      await unsafe withUnsafeContinuation { waiter in
        entrance.send(.call(unsafe PendingCall(id, request, within: milliseconds, waiter)))
        // The handler may have run before the call was sent.
        if Task.isCancelled { entrance.send(.cancel(id)) }
      }
    } onCancel: {
      entrance.send(.cancel(id))
    }
    return try result.get()
  }

  private func open() throws(MusterError) -> Mailbox<ClientOrder>? {
    _ = try core()
    return status.entrance
  }
}
