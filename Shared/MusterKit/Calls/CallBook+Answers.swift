extension CallBook {
  /// Takes what came back for one transmission. Returns the caller's answer, or nil when the call
  /// is repeated or its caller has left.
  package mutating func answered(
    _ id: UInt64, attempt: Int, _ result: Result<[UInt8], Failure>, now: UInt64
  ) -> Answer? {
    guard var call = calls[id], call.isUnderWay, call.attempt == attempt else { return nil }
    guard case .failure(let failure) = result, !call.isAbandoned else {
      remove(id)
      return call.isAbandoned ? nil : Answer(id: id, result: result.mapError { MusterError($0) })
    }
    call.lastFailure = failure
    switch failure.code {
    case _ where failure.isLeftOut: break
    case .disconnected, .unavailable, .deadlineExceeded: call.mayHaveRun = true
    default: break
    }
    // Cases that leave the switch answer the caller; the others put the call back to wait.
    switch failure.code {
    case _ where call.request.diesWithConnection && !failure.code.isPassingRefusal: break
    case _ where failure.isLeftOut: break
    case .disconnected:
      // No delay: the link itself waits before it connects again.
      wait(id, call, notBefore: now)
      return nil
    case .unavailable, .deadlineExceeded:
      call.failures += 1
      wait(id, call, notBefore: now + retry.delay(afterFailures: call.failures))
      return nil
    case _ where failure.code.isPassingRefusal:
      call.failures += 1
      call.lastRefusal = PassingRefusal(failure)
      let delay = max(
        UInt64(failure.retryAfterMilliseconds), retry.delay(afterFailures: call.failures))
      guard retry.waitsForBudget, call.request.waitsForBudget, now + delay < call.deadline else {
        break
      }
      wait(id, call, notBefore: now + delay)
      return nil
    default:
      // The server answers a repetition with the answer of the first run, so this failure tells
      // what became of the call.
      call.mayHaveRun = false
    }
    remove(id)
    return Answer(id: id, result: .failure(error(failure, call)))
  }

  private func error(_ failure: Failure, _ call: OpenCall, cause: FailureCode? = nil)
    -> MusterError
  {
    var error = MusterError(failure, cause: cause)
    error.isOutcomeUnknown = call.mayHaveRun && !call.request.isReadOnly
    // No log has a line of a call that was never sent.
    if call.attempt > 0 { error.trace = call.trace }
    return error
  }

  /// Gives up the calls whose deadline has come, and returns their answers. A call that was refused
  /// for a time, and certainly did nothing, fails as it was refused, if that is the last that is
  /// known of the server.
  ///
  /// - Parameters:
  ///   - obstacle: why there is no connection; nil when there is one.
  ///   - refusal: how the server last refused, for a time, to begin the session; nil where it did
  ///     not.
  package mutating func expire(
    now: UInt64, obstacle: String? = nil, refusal: PassingRefusal? = nil
  ) -> [Answer] {
    let due = calls.filter { !$0.value.isAbandoned && $0.value.deadline <= now }.sorted {
      $0.key < $1.key
    }
    return due.map { id, call in
      let own = call.lastRefusal
      if let own, own.isLastWord, !call.isUnderWay, !call.mayHaveRun {
        return giveUp(id, own.failure)
      }
      var why = call.lastFailure.map { " The last attempt: \($0.text)" } ?? ""
      if let own, own.failure != call.lastFailure { why += " Before: \(own.failure.text)" }
      if let refusal {
        let tense = refusal.isLastWord ? "cannot" : "could not"
        why += " The session \(tense) begin: \(refusal.failure.text)"
      }
      if let obstacle { why += " The server cannot be reached: \(obstacle)." }
      return giveUp(
        id, Failure(.deadlineExceeded, "No answer came in time.\(why)"),
        cause: (refusal ?? own)?.failure.code)
    }
  }

  /// Gives up a call for which nobody waits any more, and returns its answer; nil when the call is
  /// seen through.
  package mutating func cancel(_ id: UInt64) -> Answer? {
    guard let call = calls[id], !call.isAbandoned else { return nil }
    if call.request.isSeenThrough && (call.isUnderWay || call.mayHaveRun) { return nil }
    return giveUp(id, Failure(.cancelled, "The call of \(call.request.name) was cancelled."))
  }

  /// Answers the caller with a failure. A call that is under way stays in the book until its answer
  /// comes or the connection is lost: till then it counts against `openMax`, and its key holds the
  /// floor.
  private mutating func giveUp(_ id: UInt64, _ failure: Failure, cause: FailureCode? = nil)
    -> Answer
  {
    guard var call = calls[id] else {
      return Answer(id: id, result: .failure(MusterError(failure)))
    }
    if call.isUnderWay {
      call.mayHaveRun = true
      call.isAbandoned = true
      calls[id] = call
    } else {
      remove(id)
    }
    return Answer(id: id, result: .failure(error(failure, call, cause: cause)))
  }

  // MARK: The session

  /// Gives up the waiting calls that were bound to the lost connection, and returns their answers.
  /// The link itself answers each call that was under way with `disconnected`.
  package mutating func connectionLost() -> [Answer] {
    for id in waiting { calls[id]?.lastRefusal?.isLastWord = false }
    let bound = calls.filter { !$0.value.isUnderWay && $0.value.request.diesWithConnection }
    return bound.keys.sorted().map { id in
      giveUp(id, Failure(.disconnected, "The connection was lost."))
    }
  }

  /// Begins to number keys anew, because the session has another client instance and the server
  /// does not know the keys of the old one. Returns the answers of calls that are given up by that.
  ///
  /// A call that may have run under an old key is never run again under a new one. A call that
  /// certainly did not run gets a new key when it is sent.
  package mutating func instanceReplaced() -> [Answer] {
    var answers: [Answer] = []
    for (id, call) in calls.sorted(by: { $0.key < $1.key }) where call.counter != 0 {
      if call.mayHaveRun && !call.request.isIdempotent {
        remove(id)
        let failure = Failure(
          .unavailable, "The session began anew before the answer to \(call.request.name) came.")
        answers.append(Answer(id: id, result: .failure(error(failure, call))))
      } else {
        calls[id]?.counter = 0
      }
    }
    startCountingAnew()
    return answers
  }

  /// Gives up the acknowledgements that wait, because their numbers are those of other events by
  /// now, and returns the answers.
  package mutating func streamReplaced() -> [Answer] {
    let waiting = calls.filter {
      !$0.value.isAbandoned && $0.value.request.opcode == Acknowledge.opcode
    }
    let failure = Failure(
      .cursorLost, argument: "through", "The stream has gone back: the events are others by now.")
    return waiting.keys.sorted().map { giveUp($0, failure) }
  }

  /// Gives up every call that needs a session, and returns the answers.
  ///
  /// - Parameter cause: how the server had refused the session for a time.
  package mutating func sessionEnded(_ failure: Failure, cause: FailureCode? = nil) -> [Answer] {
    let bound = calls.filter {
      !$0.value.isAbandoned && !$0.value.request.access.contains(.anonymous)
    }
    let answers = bound.keys.sorted().map { giveUp($0, failure, cause: cause) }
    startCountingAnew()
    return answers
  }
}
