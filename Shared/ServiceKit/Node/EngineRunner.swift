package import Domain
package import Storage
package import Wire

/// Runs an engine in a world: commands come in, the engine runs them, the gate holds what they say
/// back until it is durable, effects go out until they are confirmed. A `CommitCycle` decides when
/// calls run and when a batch begins.
///
///     request → engine → gate → (store) → gate → reply, pushes, effects, hints
package final class EngineRunner<W: World> {
  /// Effects that may wait for processes that cannot be reached; they are in memory, so past this
  /// players' changes are refused. Calls of services are taken all the same: two services that
  /// refused each other's effects would wait for ever.
  static var openEffectsMax: Int { 1 << 20 }

  package let engine: Engine
  package var isStorageFull = false {
    didSet { if isStorageFull { runAllHeld() } }
  }
  private unowned let world: W
  private let log: Log
  private let gate: CommitGate
  package let measures: RunnerMeasures
  private let coldReader = ColdReader()
  private var cycle = CommitCycle()
  private var held = HeldCalls()
  private var dispatcher: EffectDispatcher<W>?
  private var hintSender: HintSender<W>?
  private var timers: TimerDispatcher<W>?
  private var readPace = LogPace()

  /// - Parameters:
  ///   - lastBatch: the last one in the store from which the engine was loaded.
  ///   - metrics: where it is counted and measured what becomes of calls.
  package init(
    engine: Engine, lastBatch: UInt64, world: W, log: Log, metrics: Metrics = Metrics(.service)
  ) {
    let measures = RunnerMeasures(metrics)
    self.measures = measures
    self.engine = engine
    self.world = world
    self.log = log
    engine.handsOutOwnEffects = true
    gate = CommitGate(
      lastBatch: lastBatch,
      submit: { [unowned world] batch, time in
        measures.commitSize.record(UInt64(batch.changes.bytes.count))
        world.submit(batch, time: time)
      },
      startBatch: { number in
        precondition(number == engine.batch, "engine and gate gather for different batches")
        engine.startBatch()
      })
    dispatcher = EffectDispatcher(
      engine: engine, world: world, log: log,
      applyHere: { [unowned self] request, done in submit(request, done) },
      keep: { [unowned self] changes, slot in keep(changes, slot: slot) })
    hintSender = HintSender(
      world: world, applyHere: { [unowned self] request, done in submit(request, done) })
    timers = TimerDispatcher(
      engine: engine, world: world, log: log,
      read: { [unowned self] ranges, slots, done in readDurable(ranges, slots, done) },
      submit: { [unowned self] request, done in submit(request, done) },
      lateness: measures.timerLateness)
  }

  /// Lanes of effects that wait for a newer version of their receiver.
  package var upgradeLaneCount: Int { dispatcher?.upgradeLaneCount ?? 0 }
  var heldCount: Int { held.count }
  var heldBytes: Int { held.bytes }
  /// How long the oldest effect is open.
  var oldestEffectMilliseconds: UInt64 { dispatcher?.oldestMilliseconds ?? 0 }
  /// Hints that did not arrive, since the start.
  package var droppedHintCount: UInt64 { hintSender?.droppedCount ?? 0 }

  /// Begins to send what an earlier life left in the outbox, and to apply the timers that are due.
  package func start() {
    dispatcher?.dispatch(engine.openEffects)
    timers?.look()
  }

  /// True when everything that was done is durable.
  package var isIdle: Bool { gate.isIdle && held.isEmpty }

  package func committed(_ number: UInt64) {
    gate.committed(number)
    let now = world.microseconds
    if let began = cycle.batchBegan { measures.commitTime.record(now - began) }
    carryOut(cycle.batchIsDurable(hasChanges: gate.hasGathered, at: now))
  }

  /// The wall clock was set.
  package func clockChanged() { timers?.clockChanged() }

  package func erasuresAreCleaned(_ erasures: [RoutingKey]) {
    engine.erasuresAreCleaned(erasures)
    timers?.engineChanged()
  }

  /// Starts no more timers.
  package func quiesce() { timers = nil }

  /// - Parameter instance: the client instance whose session has ended with the channel; 0 while
  ///   the session lives.
  package func closeChannel(_ channel: Channel, ending instance: UInt64 = 0) {
    let outcome = engine.closed(channel, ending: instance, clock: world.clock)
    keepAll(applyOwnEffects(of: outcome))
    timers?.engineChanged()
  }

  // MARK: Requests

  /// Runs a request; `done` gets the answer when everything it rests on is durable.
  package func submit(_ request: Request, _ done: @escaping (Answer) -> Void) {
    unsafe submit(request, body: request.body.span.bytes, done)
  }

  /// - Parameter body: the operation's bytes. They are lent, and copied only when the call has to
  ///   wait.
  package func submit(_ request: Request, body: RawSpan, _ done: @escaping (Answer) -> Void) {
    let route = engine.router[request.opcode]
    if let route, route.isLive, request.envelope.source == nil {
      if let answer = relay(request, body: body) { return done(answer) }
      return applyLive(request, body, done)
    }
    let slot = Slot.of(request.envelope.routingKey)
    let isReadOnly = route?.isReadOnly ?? true
    let isHeld =
      isReadOnly ? held.hasOne(before: request, slot: slot) : cycle.holdsChanges
    if isHeld && held.isFull {
      done(.failure(measures.refuse(.heldCalls)))
    } else if let refusal = refusal(request, isReadOnly: isReadOnly, slot: slot) {
      done(.failure(refusal))
    } else if isHeld {
      held.append(
        .init(
          request: request.withCopy(of: body), isReadOnly: isReadOnly, slot: slot, done: done,
          since: world.milliseconds))
      carryOut(cycle.callIsHeld(at: world.microseconds))
    } else {
      if isReadOnly && !gate.isDurable(slot: slot) {
        cycle.readWaits(forBatchUnderWay: gate.isUnderWay(slot: slot))
      }
      start(request, body, isReadOnly: isReadOnly, slot: slot, done)
      carryOut(cycle.callHasRun(at: world.microseconds))
    }
  }

  /// Runs a call with live data. Nothing of it is kept, and what it says waits for no batch: a
  /// crash would undo at most that somebody sits in the match. Returns nil for any other call, and
  /// for one that is refused and has to wait.
  package func relay(_ request: borrowing Request, body: RawSpan) -> Answer? {
    // One strong reference for all that is asked of it.
    let world = world
    guard
      let relayed = engine.relay(request, body: body, clock: world.clock, push: { world.push($0) })
    else { return nil }
    if relayed.hasSetTimers { timers?.engineChanged() }
    // Nobody is told that the match is over before a crash can undo it no more.
    if case .failure = relayed.answer, !gate.isDurable(slot: Slot.of(request.envelope.routingKey)) {
      return nil
    }
    return relayed.answer
  }

  /// The same for what `relay` leaves to others: timers, and calls that are refused.
  private func applyLive(
    _ request: Request, _ body: RawSpan, _ done: @escaping (Answer) -> Void
  ) {
    guard case .done(let outcome) = engine.apply(request, body: body, clock: world.clock) else {
      preconditionFailure("live data waits for cold rows")
    }
    precondition(outcome.changes.isEmpty, "live data changes rows")
    for push in outcome.pushes { world.push(push) }
    if case .reply = outcome.answer { return done(outcome.answer) }
    gate.pass(RowChanges(), slot: outcome.slot, time: 0) { done(outcome.answer) }
  }

  private func start(
    _ request: Request, _ body: RawSpan, isReadOnly: Bool, slot: Int,
    _ done: @escaping (Answer) -> Void
  ) {
    if !coldReader.isBusy(slot) { return run(request, body, nil, slot: slot, done) }
    let copy = request.withCopy(of: body)
    coldReader.enqueue(slot: slot) { [unowned self] in
      startUnlessRefused(copy, isReadOnly: isReadOnly, slot: slot, done)
    }
  }

  /// For a call that has waited: it is looked at again, since many run at once then, and each may
  /// fill the batch.
  private func startUnlessRefused(
    _ request: Request, isReadOnly: Bool, slot: Int, _ done: @escaping (Answer) -> Void
  ) {
    if isLate(request) {
      done(.failure(waitedTooLong))
    } else if let refusal = refusal(request, isReadOnly: isReadOnly, slot: slot) {
      done(.failure(refusal))
    } else {
      unsafe start(request, request.body.span.bytes, isReadOnly: isReadOnly, slot: slot, done)
    }
  }

  /// Whether nobody waits any more for the answer to a call that has had to wait; counts it then.
  /// To run it would keep those from their answers who still do.
  private func isLate(_ request: Request) -> Bool {
    if request.deadline > world.microseconds { return false }
    measures.late.add()
    return true
  }

  private func refusal(_ request: Request, isReadOnly: Bool, slot: Int) -> Failure? {
    if isStorageFull && !isReadOnly {
      return Failure(.storageFull, "The disk of the \(engine.service.name) service is full.")
    }
    let isOutboxFull =
      engine.openEffectCount >= Self.openEffectsMax
      && request.envelope.principal.kind != .service
    if !isReadOnly && gate.isOverloaded { return measures.refuse(.gatheredBytes) }
    if !isReadOnly && isOutboxFull { return measures.refuse(.openEffects) }
    if gate.isFull { return measures.refuse(.heldAnswers) }
    if engine.isBatchFull { return measures.refuse(.gatheredEffects) }
    if coldReader.isFull(slot) { return measures.refuse(.coldReads) }
    return nil
  }

  private var waitedTooLong: Failure {
    Failure(
      .deadlineExceeded,
      "The call has waited in the \(engine.service.name) service for all its time. It was not run.")
  }

  /// - Parameter rows: what the command has read so far; nil when it runs for the first time.
  private func run(
    _ request: Request, _ body: RawSpan, _ rows: [ColdRange: [[UInt8]]]?, slot: Int,
    _ done: @escaping (Answer) -> Void
  ) {
    switch apply(request, body, rows ?? [:]) {
    case .done(let outcome):
      keepWithEffects(outcome, done)
      if rows != nil { coldReader.finish(slot: slot) }
      timers?.engineChanged()
    case .needs(let ranges):
      coldReader.begin(slot: slot)
      let copy = request.withCopy(of: body)
      // What the command saw in memory may not be in the store yet: it reads when it is.
      gate.pass(RowChanges(), slot: slot, time: 0) { [unowned self] in
        world.read(ranges) { [weak self] result in
          self?.resume(copy, rows ?? [:], result, slot: slot, done)
        }
      }
    }
  }

  /// Measures one in a few commands by its key.
  private func apply(
    _ request: Request, _ body: RawSpan, _ rows: [ColdRange: [[UInt8]]]
  ) -> Step {
    guard measures.busyKeys.takesNext() else {
      return engine.apply(request, body: body, clock: world.clock, coldRows: rows)
    }
    let began = world.microseconds
    let step = engine.apply(request, body: body, clock: world.clock, coldRows: rows)
    measures.busyKeys.add(
      request.envelope.routingKey, request.opcode, world.microseconds - began,
      isOfGame: engine.router[request.opcode]?.routing.isOfGame == true)
    return step
  }

  private func resume(
    _ request: Request, _ rows: [ColdRange: [[UInt8]]],
    _ result: Result<[ColdRange: [[UInt8]]], StoreError>, slot: Int,
    _ done: @escaping (Answer) -> Void
  ) {
    if case .failure(let error) = result { readHasFailed(error, request) }
    switch result {
    case _ where isLate(request):
      done(.failure(waitedTooLong))
      coldReader.finish(slot: slot)
    case .success(let more):
      let rows = rows.merging(more) { $1 }
      unsafe run(request, request.body.span.bytes, rows, slot: slot, done)
    case .failure:
      done(.failure(Failure(.unavailable, "The store cannot be read.")))
      coldReader.finish(slot: slot)
    }
  }

  /// A part of the store is damaged, or its disk fails: whatever needs these rows fails each time.
  ///
  /// - Parameter request: nil for rows that no call has asked for.
  private func readHasFailed(_ error: StoreError, _ request: Request? = nil) {
    measures.readHasFailed(at: world.milliseconds)
    guard let keptBack = readPace.admit("cold read", now: world.milliseconds) else { return }
    log[.store].error(
      "cold read failed",
      [
        "trace": request?.envelope.traceID.description ?? "",
        "operation": request.map { engine.router[$0.opcode]?.name ?? "\($0.opcode)" } ?? "",
        "reason": "\(error)", "kept_back": "\(keptBack)",
      ])
  }

  private func read(
    _ ranges: [ColdRange],
    _ done: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void
  ) {
    world.read(ranges) { [weak self] result in
      if case .failure(let error) = result { self?.readHasFailed(error) }
      done(result)
    }
  }

  /// Reads rows when all that was done on their slots so far is durable. Calls go on meanwhile.
  private func readDurable(
    _ ranges: [ColdRange], _ slots: [Int],
    _ done: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void
  ) {
    var left = slots.count
    for slot in slots {
      gate.pass(RowChanges(), slot: slot, time: 0) { [unowned self] in
        left -= 1
        if left == 0 { read(ranges, done) }
      }
    }
  }

  /// Reads rows of any slots when all that was done so far is durable. Calls go on meanwhile.
  package func readWhenDurable(
    _ range: ColdRange, _ done: @escaping (Result<[[UInt8]], StoreError>) -> Void
  ) {
    gate.whenDurable { [unowned self] in
      read([range]) { result in done(result.map { $0[range] ?? [] }) }
    }
  }

  // MARK: What a command did

  /// Keeps changes that nobody is told of.
  private func keep(_ changes: RowChanges, slot: Int) {
    gate.pass(changes, slot: slot, time: engine.time(clock: world.clock)) {}
    tellCycle(of: changes)
    timers?.engineChanged()
  }

  /// As `keep`, with the effects that are applied here.
  private func keepWithEffects(_ outcome: Outcome, _ done: @escaping (Answer) -> Void) {
    if outcome.ownEffects.isEmpty { return keep(outcome, done) }
    var outcomes = applyOwnEffects(of: outcome)
    if gate.gather(&outcomes) { carryOut(cycle.changesAreGathered()) }
    // All of them wait for the same batch now, so that one output is enough.
    let gathered = outcomes
    gate.pass(RowChanges(), slot: outcome.slot, time: 0) { [unowned self] in
      release(gathered[0], done)
      for other in gathered[1...] { release(other) { _ in } }
    }
  }

  private func applyOwnEffects(of outcome: Outcome) -> [Outcome] {
    let outcomes = engine.applyOwnEffects(of: outcome, clock: world.clock) {
      !coldReader.isBusy($0) && isHere(slot: $0)
    }
    cycle.effectsHaveRun(outcomes.count - 1)
    return outcomes
  }

  private func isHere(slot: Int) -> Bool {
    world.address(engine.service, slot: slot).map(world.isHere) ?? false
  }

  private func keep(_ outcome: Outcome, _ done: @escaping (Answer) -> Void) {
    if outcome.changes.isEmpty && gate.isDurable(slot: outcome.slot) {
      // Most reads: nothing has to be kept for later.
      return release(outcome, done)
    }
    gate.pass(outcome.changes, slot: outcome.slot, time: outcome.time) { [unowned self] in
      release(outcome, done)
    }
    tellCycle(of: outcome.changes)
  }

  /// As `keep`, for a command that may have touched keys of any slot.
  private func keepAll(_ gathered: [Outcome]) {
    var outcomes = gathered
    let hasChanges = gate.gather(&outcomes)
    if !hasChanges && outcomes.allSatisfy({ $0.pushes.isEmpty && $0.hints.isEmpty }) { return }
    gate.passAll { [unowned self] in
      for outcome in outcomes { release(outcome) { _ in } }
    }
    if hasChanges { carryOut(cycle.changesAreGathered()) }
  }

  /// Lets out what a command said: everything that it rests on is durable.
  private func release(_ outcome: Outcome, _ done: (Answer) -> Void) {
    for push in outcome.pushes { world.push(push) }
    measures.count(outcome.answer)
    done(outcome.answer)
    if !outcome.effects.isEmpty { dispatcher?.dispatch(outcome.effects) }
    if !outcome.hints.isEmpty { hintSender?.send(outcome.hints) }
  }

  // MARK: The commit cycle

  private func tellCycle(of changes: RowChanges) {
    if !changes.isEmpty { carryOut(cycle.changesAreGathered()) }
  }

  private func carryOut(_ action: CommitCycle.Action) {
    switch action {
    case .nothing: break
    case .scheduleTurnEnd: world.atEndOfTurn { [weak self] in self?.endTurn() }
    case .wakeLater: world.after(1) { [weak self] in self?.wake() }
    case .commit: gate.commit()
    }
  }

  private func wake() { carryOut(cycle.wakes(at: world.microseconds)) }

  private func endTurn() {
    cycle.turnEnds()
    while !isBatchFull, cycle.takeDueCall() { runFirstHeld() }
    carryOut(
      cycle.turnHasEnded(
        hasChanges: gate.hasGathered, isBatchFull: isBatchFull, at: world.microseconds))
  }

  private var isBatchFull: Bool { gate.isOverloaded || engine.isBatchFull }

  private func runFirstHeld() {
    let call = held.removeFirst()
    let now = world.milliseconds
    measures.heldTime.record(now - min(now, call.since))
    precondition(held.count == cycle.heldCount, "the cycle counts other calls than are held")
    startUnlessRefused(call.request, isReadOnly: call.isReadOnly, slot: call.slot, call.done)
  }

  /// The batch under way waits for room on the disk: changes are refused, and reads go on.
  private func runAllHeld() {
    while cycle.takeAnyCall() { runFirstHeld() }
  }
}
