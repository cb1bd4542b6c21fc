import Wire

extension Engine {
  /// When the next timer is due, in milliseconds since 1970.
  public var nextTimerDue: Int64? {
    guard let live = liveTimers.nextDue else { return timers.nextDue }
    return min(live, timers.nextDue ?? live)
  }

  /// When the next timer of live data is due.
  public var nextLiveTimerDue: Int64? { liveTimers.nextDue }
  public var pendingTimerCount: Int { timers.count + liveTimers.count }
  /// Timers whose operations refused them for good, since the start.
  public var refusedTimerCount: UInt64 { timers.refusedCount }

  /// Transient failures of timers since the start, except those for lack of room.
  public var retriedTimerCount: UInt64 { timers.retriedCount }

  /// Takes the next timer whose time has come, as a request. Where `timer.unreadRow` is not nil,
  /// read it and call `fillTimer` before `apply`.
  public func takeTimer(clock: Int64) -> Request? {
    if let live = takeLiveTimer(clock: clock) { return live }
    return timers.take(now: time(clock: clock)).map(request)
  }

  /// Takes the next timer of live data whose time has come.
  public func takeLiveTimer(clock: Int64) -> Request? {
    liveTimers.take(now: time(clock: clock)).map(request)
  }

  /// True for a timer that applies live data.
  func isLive(_ timer: TimerKey) -> Bool {
    router[Opcode(rawValue: timer.opcode)]?.isLive ?? false
  }

  private func request(_ timer: FiringTimer, _ game: String, _ body: [UInt8]) -> Request {
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .service
    envelope.principal.game = game
    envelope.routingKey = timer.key.key
    envelope.traceID = timer.trace(in: incarnation)
    var request = Request(
      opcode: Opcode(rawValue: timer.key.opcode), envelope: envelope, body: body)
    request.timer = timer
    return request
  }

  /// A timer that was taken could not be served: it is taken again when some time has passed.
  public func postponeTimer(_ request: Request, milliseconds: Int64, clock: Int64) {
    timers.postpone(firing(request), to: time(clock: clock) + milliseconds)
  }

  /// Counts a transient failure. Returns how many there were in a row; nil for a timer that was
  /// cancelled or set anew since it was taken.
  public func countTimerFailure(_ request: Request) -> Int? {
    timers.countFailure(of: firing(request))
  }

  private func firing(_ request: Request) -> FiringTimer {
    guard let timer = request.timer else { preconditionFailure("the request is no timer's") }
    return timer
  }

  func applyTimer(
    _ timer: FiringTimer, _ request: Request, _ body: RawSpan, slot: Int, clock: Int64,
    coldRows: [ColdRange: [[UInt8]]]
  ) -> Step {
    let isLive = isLive(timer.key)
    // It was cancelled or set anew since it was taken.
    guard isLive ? liveTimers.isFiring(timer) : timers.isFiring(timer) else {
      return .done(Outcome(answer: .reply([]), slot: slot))
    }
    guard !timer.isUnread else {
      let failure = Failure(.notFound, "A timer has no row, or one that cannot be decoded.")
      return refuseTimer(timer, failure, slot, clock)
    }
    guard !isOfErased(timer.key) else {
      // One that has no row outlives the rows of the player, and nobody misses it.
      return endTimer(timer, .reply([]), isRefused: false, slot, clock)
    }
    guard let route = router[request.opcode] else {
      let failure = Failure(.unknownOperation, "No operation has the opcode \(request.opcode).")
      return refuseTimer(timer, failure, slot, clock)
    }
    return run(request, body, route, slot: slot, clock: clock, coldRows: coldRows) {
      answer, changes in
      if isLive { return liveTimers.served(timer, isRefused: false, &changes) }
      guard case .failure(let failure) = answer else {
        return timers.served(timer, isRefused: false, &changes)
      }
      // A transient refusal is no answer: the timer fires again.
      if !failure.code.isTransient { timers.served(timer, isRefused: true, &changes) }
    }
  }

  private func refuseTimer(
    _ timer: FiringTimer, _ failure: Failure, _ slot: Int, _ clock: Int64
  ) -> Step {
    endTimer(timer, .failure(failure), isRefused: true, slot, clock)
  }

  private func endTimer(
    _ timer: FiringTimer, _ answer: Answer, isRefused: Bool, _ slot: Int, _ clock: Int64
  ) -> Step {
    var outcome = Outcome(answer: answer, slot: slot, time: time(clock: clock))
    timers.served(timer, isRefused: isRefused, &outcome.changes)
    noteChanges(outcome.changes)
    return .done(outcome)
  }
}

extension Request {
  /// Fills in what a timer applies, from the rows that were read at its `unreadRow`.
  public mutating func fillTimer(from rows: [[UInt8]]) {
    guard let first = rows.first, let row = try? TimerRow(decoding: first) else { return }
    envelope.principal.game = row.game
    body = row.body.array
    timer?.isUnread = false
  }
}
