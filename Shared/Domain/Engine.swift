public import Wire

/// A service as a deterministic state machine: a core, and around it what all services share, that
/// is, access, idempotency, the audit, the outbox and the inbox. It has no clock, no socket and no
/// store; given the same commands, times and seed it does the same things.
///
/// One request runs to its end without waiting. What it changed is in memory at once; the process
/// around the engine sees to it that nobody hears of it before it is durable.
public final class Engine {
  let core: any ServiceCore
  public let service: Service
  public let partition: Partition
  /// The store's identifier, which it keeps when it is put back from a backup.
  public let store: StoreID
  public private(set) var router: Router
  public private(set) var tables = Tables()
  /// What was read of each table at the start.
  public private(set) var loadedTables: [LoadedTable] = []
  var windows: ReplyWindows
  var timers = Timers()
  /// Those of live data, which are served whatever else is under way.
  var liveTimers = Timers()
  var inbox = EffectInbox()
  var refused: [RefusedKey: Failure] = [:]
  var outbox: Outbox
  /// True when commands hand out the effects on keys of this process, for `applyOwnEffects`, in
  /// place of putting them into the outbox.
  public var handsOutOwnEffects = false
  /// Told of each effect that `applyOwnEffects` applies, with the slot that it came from and its
  /// changes: nothing in these names it.
  package var didApplyOwnEffect: ((Effect, _ source: Int, inout RowChanges) -> Void)?
  private(set) var refusedKeys: AgedKeys<RefusedKey>
  var parkedKeys: AgedKeys<OutboxKey>
  /// Parked effects that made room or were kept for long enough, since the start.
  public internal(set) var droppedEffectCount: UInt64 = 0
  /// The slot that numbers the effects of a closed channel.
  private let channelSlot: Int
  var random: RandomSource
  private(set) var lastTime: Int64
  /// No command runs at an earlier time.
  let timeMin: Int64
  /// Numbers this life of the store, for the effects that it makes.
  private(set) var incarnation: UInt64
  /// The last mark of the store as put back from a backup; empty for one that never was.
  var restored = RestoreRow()
  /// Confirmed effects that are sent again since that mark.
  var resending: Set<OutboxKey> = []
  /// Confirmed effects that are kept: those that were to be sent again when the process started,
  /// and all others.
  var resentKeys: AgedKeys<OutboxKey>
  var retainedKeys: AgedKeys<OutboxKey>
  /// Of these, how many made room for others.
  public internal(set) var droppedRetainedCount: UInt64 = 0
  /// Milliseconds.
  let auditKept: Int64
  let refusalKept: Int64
  /// The key of `MaintainEngine`, and when that comes next.
  let maintenanceKey: RoutingKey
  var maintenanceDue = Int64.max

  var erased = ErasedPlayers()
  /// Who takes the places of erased players in calls that name them; of this process alone.
  var masks: [PlayerID: Erasure] = [:]
  var erasureRows: [RoutingKey: ErasureRow] = [:]
  /// Asked before a player is erased; false while the erasure cannot be written down.
  package var willErase: ((Erasure) -> Bool)?
  /// Told the name of a table with a row that cannot be rewritten, once for each table.
  package var cannotErase: ((_ table: String, Failure) -> Void)?
  var walk = ErasureWalk()

  /// The number of the batch that changes now go into; numbers effects and audited calls.
  public private(set) var batch: UInt64
  private var numberedInBatch: UInt64 = 0

  /// A sequence number is the batch's number and the place in it, so that it grows over restarts
  /// without a row of its own.
  static var numberedPerBatchMax: UInt64 { 1 << 16 }

  /// - Parameters:
  ///   - lastBatch: the number of the store's newest batch.
  ///   - lastTime: the time of that batch.
  ///   - clock: the wall clock, in milliseconds since 1970.
  public init(
    core: any ServiceCore, partition: Partition, store: StoreID, lastBatch: UInt64, lastTime: Int64,
    clock: Int64, random: RandomSource, answers: AnswerBounds = AnswerBounds()
  ) {
    // No batch of this life is earlier than `timeMin`. So the next life, whose `lastTime` is that
    // of such a batch, has no lesser number, even if the clock was set back.
    timeMin = max(lastTime, clock)
    incarnation = StoreLife.number(restores: 0, time: timeMin)
    self.core = core
    windows = ReplyWindows(answers)
    service = type(of: core).service
    outbox = Outbox(of: service)
    router = core.router
    self.partition = partition
    self.store = store
    self.batch = lastBatch + 1
    self.lastTime = lastTime
    self.random = random
    channelSlot = (0..<Slot.count).first { partition.owns($0) } ?? 0
    refusalKept = core.settings[.refusedEffectKept]
    refusedKeys = AgedKeys(
      countMax: EffectLimits.refusedCountMax, keptMillisecondsMax: refusalKept)
    parkedKeys = AgedKeys(countMax: EffectLimits.parkedCountMax, keptMillisecondsMax: refusalKept)
    retainedKeys = AgedKeys(
      countMax: EffectLimits.retainedCountMax, bytesMax: EffectLimits.retainedBytesMax,
      keptMillisecondsMax: core.settings[.effectRetained])
    resentKeys = retainedKeys
    auditKept = core.settings[.auditKept]
    maintenanceKey =
      (0...UInt64.max).lazy.map { RoutingKey(high: 0, low: $0) }
      .first { partition.owns(Slot.of($0)) } ?? RoutingKey()
    routeOwn()
    registerTables()
  }

  /// Answers the operations that every service has, beside the core's.
  private func routeOwn() {
    router.on(MaintainEngine.self) { [unowned self] (_, _, transaction) throws(Stop) in
      try maintain(&transaction)
    }
    router.on(ContinueErasure.self) { [unowned self] (_, _, transaction) throws(Stop) in
      try continueErasure(&transaction)
    }
    if let export = type(of: core).recordsExport { router.onExport(export, of: self) }
    if let erasure = type(of: core).recordsErasure { router.onErasure(erasure, of: self) }
  }

  /// The engine's own come first.
  private func registerTables() {
    var tables = Tables()
    registerOwn(&tables)
    let ownCount = tables.all.count
    core.register(&tables)
    precondition(
      tables.descriptions[ownCount...].allSatisfy { $0.id >= Tables.coreNumberMin },
      "a core registers a table with a number of the engine's")
    self.tables = tables
  }

  /// Every table of a service as a store sees it, the engine's own first. A store is opened before
  /// there is an engine to take its rows.
  public static func tables(of core: any ServiceCore.Type) -> [TableDescription] {
    Engine(
      core: core.init(), partition: .whole, store: StoreID(), lastBatch: 0, lastTime: 0, clock: 0,
      random: .seeded(0)
    ).tables.descriptions
  }

  /// Every number setting of a service, the engine's own first.
  public static func settings(of core: any ServiceCore.Type) -> [NumberSetting] {
    [.auditKept, .refusedEffectKept, .effectRetained] + core.declaredSettings
  }

  private func registerOwn(_ tables: inout Tables) {
    tables.cold(ReplyRow.self) { [unowned self] in windows.load($0) }
    tables.cold(FloorRow.self) { [unowned self] in windows.load($0) }
    tables.resident(OutboxRow.self, about: .playersInBytes) { [unowned self] in
      outbox.insert($0)
    }
    tables.resident(ParkedRow.self, about: .playersInBytes) { [unowned self] in
      parkedKeys.add($0.key, time: $0.time)
    }
    tables.resident(InboxRow.self, about: .nobody) { [unowned self] in
      inbox.load($0, now: lastTime)
    }
    tables.resident(RefusedRow.self, about: .playersInBytes) { [unowned self] in
      refused[$0.key] = Failure($0.code, $0.text)
      refusedKeys.add($0.key, time: $0.time)
    }
    tables.cold(AuditRow.self, about: .playersInBytes)
    tables.cold(TimerRow.self, about: .playersInBytes) { [unowned self] in timers.load($0) }
    tables.resident(ErasureRow.self, about: .nobody) { [unowned self] in
      erasureRows[$0.key] = $0
    }
    registerRestore(&tables)
    registerOwnErasure(&tables)
  }

  /// The stored mark is known now, by which lives are numbered.
  func beginLife() {
    incarnation = StoreLife.number(restores: StoreLife.restores(restored.life), time: timeMin)
  }

  /// Loads the stored rows, once, before the first command.
  ///
  /// - Parameter rows: reads a resident table and hands each of its rows, lent, to what takes it.
  public func load(
    _ rows: (TableDescription, (RawSpan) throws -> Void) throws -> Void
  ) rethrows {
    loadedTables = try tables.load(rows)
    timers.loaded()
    refusedKeys.sort()
    parkedKeys.sort()
    resentKeys.sort()
    retainedKeys.sort()
    var transaction = Transaction(
      now: lastTime, incarnation: incarnation, random: random, loading: self)
    core.loaded(&transaction)
    precondition(!transaction.hasLastingEffect, "a core changes rows while it loads")
    random = transaction.randomAfter
    // Not at the store's last time, which may be long ago: the timer would count as late.
    scheduleMaintenance(at: timeMin)
    openErasures()
  }

  /// The answers that are remembered, their bytes, and the client instances that they are for.
  public var answerCounts: (rows: Int, bytes: Int, instances: Int) {
    (windows.rowCount, windows.byteCount, windows.instanceCount)
  }

  /// Changes from here on belong to the next batch.
  public func startBatch() {
    batch += 1
    numberedInBatch = 0
  }

  /// True when the batch holds as much as can be numbered with room for one more command.
  public var isBatchFull: Bool { isBatchFull(with: 0) }

  /// - Parameter count: effects that may have to be numbered yet.
  func isBatchFull(with count: Int) -> Bool {
    numberedInBatch + UInt64(count) >= Self.numberedPerBatchMax / 2
  }

  func nextSequence() -> UInt64 {
    precondition(numberedInBatch < Self.numberedPerBatchMax, "a batch has too many effects")
    defer { numberedInBatch += 1 }
    return batch << 16 | numberedInBatch
  }

  /// The later of the last time used and the clock's.
  public func time(clock: Int64) -> Int64 {
    lastTime = max(lastTime, timeMin, clock)
    return lastTime
  }
}

// MARK: Commands

extension Engine {
  public func apply(
    _ request: Request, clock: Int64, coldRows: [ColdRange: [[UInt8]]] = [:]
  ) -> Step {
    unsafe apply(request, body: request.body.span.bytes, clock: clock, coldRows: coldRows)
  }

  /// - Parameter body: the operation's bytes, which are lent for the call.
  public func apply(
    _ request: Request, body: RawSpan, clock: Int64, coldRows: [ColdRange: [[UInt8]]] = [:]
  ) -> Step {
    let slot = Slot.of(request.envelope.routingKey)
    if let timer = request.timer {
      return applyTimer(timer, request, body, slot: slot, clock: clock, coldRows: coldRows)
    }
    guard let route = router[request.opcode] else {
      return .refused(.unknownOperation, "No operation has the opcode \(request.opcode).", slot)
    }
    guard route.access.allows(request.envelope.principal.kind) else {
      let kind = request.envelope.principal.kind
      return .refused(
        .notAllowed, "\(route.name) is not open to callers of the kind \(kind).", slot)
    }
    guard partition.owns(slot) else {
      return .refused(.wrongPartition, "Slot \(slot) is not of partition \(partition).", slot)
    }
    guard route.routing != .firstIdentifier || names(request.envelope.routingKey, body) else {
      return .refused(.malformed, "The body of \(route.name) names another key.", slot)
    }
    if let source = request.envelope.source {
      if let rest = rest(of: request, body, route) {
        return unsafe applyEffect(
          rest, rest.body.span.bytes, route, source, slot: slot, clock: clock, coldRows: coldRows)
      }
      return applyEffect(
        request, body, route, source, slot: slot, clock: clock, coldRows: coldRows)
    }
    return applyCall(request, body, route, slot: slot, clock: clock, coldRows: coldRows)
  }

  /// A peer that sends one key in the envelope and another in the body would have a handler change
  /// what this key does not own.
  func names(_ key: RoutingKey, _ body: RawSpan) -> Bool {
    guard case .success(let first) = Reader.read(body, { RoutingKey.decode(from: &$0) }) else {
      return false
    }
    return first == key
  }

  private func applyCall(
    _ request: Request, _ body: RawSpan, _ route: Route, slot: Int, clock: Int64,
    coldRows: [ColdRange: [[UInt8]]]
  ) -> Step {
    // An audited call is one line of the audit, so a repeated one must not run again.
    let isRemembered =
      !route.isReadOnly && (!route.isIdempotent || route.isAudited)
      && request.envelope.idempotency.isPresent
    let keyed = isRemembered ? KeyedCall(request, body, slot: slot) : nil
    let named = erasedPlayers(namedIn: body, of: request.opcode)
    if let keyed {
      switch windows.verdict(keyed) {
      case .new: break
      case .repeated(let key): return repeated(key, naming: named, slot: slot, coldRows)
      case .refused(let failure): return .done(Outcome(answer: .failure(failure), slot: slot))
      }
    }
    // After the answers that are remembered: a call that was carried out before somebody in it was
    // erased is answered as it was.
    if let failure = refusal(of: request, route) {
      return .done(Outcome(answer: .failure(failure), slot: slot))
    }
    if named.isEmpty {
      return runCall(request, body, route, keyed, slot: slot, clock: clock, coldRows: coldRows)
    }
    let masked = MaskedCall(of: request, body, masks: named.map(mask))
    let step = unsafe runCall(
      masked.request, masked.request.body.span.bytes, route, keyed, masked, slot: slot,
      clock: clock, coldRows: coldRows)
    return masked.told(step)
  }

  private func runCall(
    _ request: Request, _ body: RawSpan, _ route: Route, _ keyed: KeyedCall?,
    _ masked: MaskedCall? = nil, slot: Int, clock: Int64, coldRows: [ColdRange: [[UInt8]]]
  ) -> Step {
    run(request, body, route, slot: slot, clock: clock, coldRows: coldRows) { result, changes in
      guard case .reply(let reply) = result else { return }
      if route.isAudited && !changes.isEmpty && request.envelope.principal.kind != .service {
        let row =
          masked.map { audited($0, route) }
          ?? AuditRow(request, body, route, sequence: nextSequence(), time: lastTime)
        changes.put(row)
        scheduleMaintenance(at: lastTime + auditKept + 1)
      }
      if let keyed { windows.record(keyed.row(reply, time: lastTime), &changes) }
    }
  }

  /// The answer of the first time, which is read from the store.
  ///
  /// - Parameter erased: those whom the call names. The store has masks in their place; the caller
  ///   is not told them.
  private func repeated(
    _ key: ReplyKey, naming erased: [Erasure], slot: Int, _ coldRows: [ColdRange: [[UInt8]]]
  ) -> Step {
    let range = ColdRange.row(ReplyRow.self, key)
    guard let rows = coldRows[range] else { return .needs([range]) }
    guard let first = rows.first, let row = try? ReplyRow(decoding: first) else {
      return .refused(.unavailable, "The answer to call \(key.counter) cannot be read.", slot)
    }
    var players = ErasedPlayers()
    for erasure in erased { players.insert(mask(of: erasure).reversed) }
    return .done(Outcome(answer: .reply(players.renamed(row.reply.array)), slot: slot))
  }

  private func applyEffect(
    _ request: Request, _ body: RawSpan, _ route: Route, _ source: EffectSource, slot: Int,
    clock: Int64, coldRows: [ColdRange: [[UInt8]]]
  ) -> Step {
    if let failure = source.refusal {
      return .done(Outcome(answer: .failure(failure), slot: slot))
    }
    let key = InboxKey(source: source, slot: slot)
    let refusedKey = RefusedKey(source: key, source.number)
    if let failure = refused[refusedKey] {
      return .done(Outcome(answer: .failure(failure), slot: slot))
    }
    let reached = inbox.reached(key)
    if let goneBack = reached.goneBack(source) {
      return .done(Outcome(answer: .failure(Failure(goneBack, of: source)), slot: slot))
    }
    if source.number <= reached.number {
      return .done(Outcome(answer: .reply([]), slot: slot))
    }
    guard source.predecessor <= reached.number else {
      return .refused(.outOfOrder, "Effect \(source.after) has to come first.", slot)
    }
    return run(request, body, route, slot: slot, clock: clock, coldRows: coldRows) {
      result, changes in
      // A transient refusal is no answer: the effect comes again.
      if case .failure(let failure) = result {
        if failure.code.isTransient { return }
        refuse(refusedKey, failure, &changes)
      }
      var row = InboxRow()
      row.key = key
      row.sequence = source.sequence
      row.incarnation = source.incarnation
      row.restored = source.restored
      row.time = lastTime
      changes.put(row)
      for key in inbox.take(row) { changes.remove(InboxRow.self, key) }
    }
  }

  private func refuse(_ key: RefusedKey, _ failure: Failure, _ changes: inout RowChanges) {
    refused[key] = failure
    refusedKeys.add(key, time: lastTime)
    var row = RefusedRow()
    row.key = key
    row.code = failure.code
    row.text = failure.text
    row.time = lastTime
    changes.put(row)
    forgetRefused(atMost: EffectLimits.forgottenPerAddition, &changes)
    scheduleMaintenance(at: lastTime + refusalKept + 1)
  }

  func forgetRefused(atMost stepMax: Int, _ changes: inout RowChanges) {
    for (key, _) in refusedKeys.takeOld(now: lastTime, atMost: stepMax) {
      refused[key] = nil
      changes.remove(RefusedRow.self, key)
    }
  }

  /// Runs the handler, then lets `remember` add what must be durable together with its changes.
  func run(
    _ request: Request, _ body: RawSpan, _ route: Route, slot: Int, clock: Int64,
    coldRows: [ColdRange: [[UInt8]]], remember: (Answer, inout RowChanges) -> Void
  ) -> Step {
    let call = self.call(request)
    var transaction = Transaction(
      now: time(clock: clock), incarnation: incarnation, random: random,
      trace: request.envelope.traceID, coldRows: coldRows)
    var outcome: Outcome
    do {
      let reply = try route.run(body, call, &transaction)
      precondition(
        !route.isReadOnly || !transaction.hasLastingEffect,
        "\(route.name) is read-only but changes rows")
      check(transaction, route, call)
      outcome = finish(transaction, .reply(reply), slot: slot)
    } catch {
      precondition(
        !transaction.hasStarted, "\(route.name) refused a call after it had changed something")
      switch error {
      case .needs(let ranges): return .needs(ranges)
      case .refused(let failure): outcome = finish(transaction, .failure(failure), slot: slot)
      case .needsFact(var demand):
        demand.operation = Bytes([UInt8](copying: body))
        outcome = finish(transaction, .failure(Failure(demand)), slot: slot)
      }
    }
    remember(outcome.answer, &outcome.changes)
    noteChanges(outcome.changes)
    return .done(outcome)
  }

  private func check(_ transaction: Transaction, _ route: Route, _ call: Call) {
    precondition(
      !route.isLive || !transaction.isMoreThanLive,
      "\(route.name) is live data and does more than push")
    precondition(
      transaction.timers.allSatisfy { $0.key.key == call.key },
      "\(route.name) touches a timer of another key")
  }

  /// Runs a call with live data, of which nothing is kept, and hands out its pushes: what `apply`
  /// does for it, without what only other calls need. Returns the answer, and whether timers were
  /// set; nil for any other call.
  public func relay(
    _ request: borrowing Request, body: RawSpan, clock: Int64, push: (Push) -> Void
  ) -> (answer: Answer, hasSetTimers: Bool)? {
    guard let route = router[request.opcode], route.isLive, request.timer == nil,
      request.envelope.source == nil, route.access.allows(request.envelope.principal.kind),
      partition.owns(Slot.of(request.envelope.routingKey)),
      route.routing != .firstIdentifier || names(request.envelope.routingKey, body)
    else { return nil }
    let call = self.call(request)
    var transaction = Transaction(
      now: time(clock: clock), incarnation: incarnation, random: random,
      trace: request.envelope.traceID)
    do {
      let reply = try route.run(body, call, &transaction)
      check(transaction, route, call)
      let hasSetTimers = !transaction.timers.isEmpty
      if hasSetTimers { setTimers(of: transaction) }
      random = transaction.randomAfter
      for one in transaction.pushes { push(one) }
      return (.reply(reply), hasSetTimers)
    } catch {
      precondition(
        !transaction.hasStarted, "\(route.name) refused a call after it had changed something")
      guard case .refused(let failure) = error else {
        preconditionFailure("\(route.name) is live data and waits for something")
      }
      return (.failure(failure), false)
    }
  }

  private func call(_ request: borrowing Request) -> Call {
    let session = request.envelope.session
    var call = Call(
      principal: request.envelope.principal, key: request.envelope.routingKey,
      channel: session == 0 ? nil : Channel(link: request.link, session: session),
      facts: rest(of: request.envelope.facts))
    call.standIns = erased.standIns
    return call
  }

  /// What a call with live data sets is not kept.
  private func setTimers(of transaction: Transaction) {
    var changes = RowChanges()
    setTimers(of: transaction, &changes)
    precondition(changes.isEmpty, "live data changes a timer that is kept")
  }

  private func setTimers(of transaction: Transaction, _ changes: inout RowChanges) {
    for change in transaction.timers {
      if isLive(change.key) {
        liveTimers.apply(change, &changes)
      } else {
        timers.apply(change, &changes)
      }
    }
  }

  /// A client's channel is over.
  ///
  /// - Parameter instance: the instance whose session has ended with it; 0 while the session lives.
  public func closed(_ channel: Channel, ending instance: UInt64 = 0, clock: Int64) -> Outcome {
    var transaction = Transaction(
      now: time(clock: clock), incarnation: incarnation, random: random)
    core.closed(channel, &transaction)
    var outcome = finish(transaction, .reply([]), slot: channelSlot)
    if instance != 0 { windows.end(instance, now: lastTime, &outcome.changes) }
    noteChanges(outcome.changes)
    return outcome
  }

  private func finish(_ transaction: Transaction, _ answer: Answer, slot: Int) -> Outcome {
    random = transaction.randomAfter
    var outcome = Outcome(answer: answer, slot: slot)
    outcome.time = transaction.now
    outcome.changes = transaction.changes
    outcome.pushes = transaction.pushes
    outcome.hints = transaction.hints
    for effect in transaction.effects.lazy.map(rest) {
      if handsOutOwnEffects && isOwn(effect) {
        outcome.ownEffects.append(effect)
      } else {
        post(effect, &outcome)
      }
    }
    setTimers(of: transaction, &outcome.changes)
    return outcome
  }
}

extension Step {
  fileprivate static func refused(_ code: FailureCode, _ text: String, _ slot: Int) -> Step {
    .done(Outcome(answer: .failure(Failure(code, text)), slot: slot))
  }
}
