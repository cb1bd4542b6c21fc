import Wire

extension Engine {
  /// When the next timer is due, in milliseconds since 1970.
  public var nextTimerDue: Int64? { timers.nextDue }
  public var pendingTimerCount: Int { timers.count }
  /// Timers whose operations refused them for good, since the start.
  public var refusedTimerCount: UInt64 { timers.refusedCount }

  /// Takes the next timer whose time has come, as a request to `apply` like any other.
  public func takeTimer(clock: Int64) -> Request? {
    guard let timer = timers.take(now: time(clock: clock)) else { return nil }
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .service
    envelope.routingKey = timer.key
    var request = Request(
      opcode: Opcode(rawValue: timer.opcode), envelope: envelope, body: [])
    request.timer = timer
    return request
  }

  /// A timer that was taken could not be served: it is taken again when some time has passed.
  public func postponeTimer(_ request: Request, milliseconds: Int64, clock: Int64) {
    guard let timer = request.timer else { preconditionFailure("the request is no timer's") }
    timers.postpone(timer, to: time(clock: clock) + milliseconds)
  }

  func applyTimer(
    _ timer: TimerKey, _ request: Request, slot: Int, clock: Int64,
    coldRows: [ColdRange: [[UInt8]]]
  ) -> Step {
    // It was cancelled or set anew since it was taken.
    guard timers.isFiring(timer) else {
      return .done(Outcome(answer: .reply([]), slot: slot))
    }
    var request = request
    do throws(Stop) {
      guard let call = try timers.call(of: timer, coldRows) else {
        return refuseTimer(timer, Failure(.notFound, "A timer has no row."), slot, clock)
      }
      (request.envelope.principal.game, request.body) = call
    } catch {
      switch error {
      case .needs(let ranges): return .needs(ranges)
      case .refused(let failure): return refuseTimer(timer, failure, slot, clock)
      case .needsFact: preconditionFailure("a timer's row is no fact")
      }
    }
    guard let route = router[request.opcode] else {
      let failure = Failure(.unknownOperation, "No operation has the opcode \(request.opcode).")
      return refuseTimer(timer, failure, slot, clock)
    }
    return unsafe run(
      request, request.body.span.bytes, route, slot: slot, clock: clock, coldRows: coldRows
    ) { answer, changes in
      guard case .failure(let failure) = answer else {
        return timers.served(timer, isRefused: false, &changes)
      }
      // A transient refusal is no answer: the timer fires again.
      if !failure.code.isTransient { timers.served(timer, isRefused: true, &changes) }
    }
  }

  private func refuseTimer(
    _ timer: TimerKey, _ failure: Failure, _ slot: Int, _ clock: Int64
  ) -> Step {
    var outcome = Outcome(answer: .failure(failure), slot: slot, time: time(clock: clock))
    timers.served(timer, isRefused: true, &outcome.changes)
    return .done(outcome)
  }
}
