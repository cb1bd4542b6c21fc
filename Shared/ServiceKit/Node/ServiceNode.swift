import Domain
import Operations
import Storage
import Transport
import Wire

/// A service's process on its loop: requests come in, the engine runs them, the gate holds what they
/// say back until it is durable.
///
///     connection → engine → gate → (committer's thread) → gate → reply, pushes, effects
final class ServiceNode<Core: ServiceCore> {
  let loop: Loop
  let engine: Engine<Core>
  let log: Log
  let metrics = Metrics()
  private let gate: CommitGate
  private let coldReader: ColdReader
  private let clock: () -> Int64
  private var dispatcher: EffectDispatcher<Core>?
  private var connections: [UInt64: NodeConnection<Core>] = [:]
  private var timer: LoopTimer?
  private let startedAt: UInt64
  var isStorageFull = false
  private var isCommitScheduled = false

  static var tickMilliseconds: UInt64 { 1000 }

  init(
    loop: Loop, engine: Engine<Core>, store: any Store, committer: Committer, peers: Peers,
    log: Log, clock: @escaping () -> Int64
  ) {
    self.loop = loop
    self.engine = engine
    self.log = log
    self.clock = clock
    startedAt = loop.monotonicMilliseconds
    coldReader = ColdReader(loop: loop, store: store)
    gate = CommitGate(
      lastBatch: store.lastBatch, submit: { committer.submit($0, time: $1) },
      startBatch: { engine.startBatch() })
    let dispatcher = EffectDispatcher(
      engine: engine, peers: peers, loop: loop, log: log, clock: clock,
      applyHere: { [unowned self] request, done in submit(request, done) },
      keep: { [unowned self] changes, slot in
        gate.pass(changes, slot: slot, time: clock()) {}
        scheduleCommit()
      })
    self.dispatcher = dispatcher
  }

  /// Begins to send what an earlier life left in the outbox, and to let time pass.
  func start() {
    dispatcher?.dispatch(engine.openEffects)
    timer = loop.every(Self.tickMilliseconds) { [unowned self] in
      if !isStorageFull { keepAll(engine.tick(clock: clock())) }
    }
  }

  /// No more ticks; what is open may still finish.
  func quiesce() { timer?.cancel() }
  var isIdle: Bool { gate.isIdle }

  func committed(_ number: UInt64) { gate.committed(number) }

  // MARK: Requests

  /// Runs a request; `done` gets the answer when everything it rests on is durable.
  func submit(_ request: Request, _ done: @escaping (Answer) -> Void) {
    let slot = Slot.of(request.envelope.routingKey)
    if let refusal = refusal(request, slot: slot) {
      done(.failure(refusal))
    } else if coldReader.isBusy(slot) {
      coldReader.enqueue(slot: slot) { [unowned self] in run(request, [:], slot: slot, done) }
    } else {
      run(request, [:], slot: slot, done)
    }
  }

  private func refusal(_ request: Request, slot: Int) -> Failure? {
    let isReadOnly = engine.router.routes[request.opcode]?.isReadOnly ?? true
    if isStorageFull && !isReadOnly {
      return Failure(.storageFull, "The disk of the \(Core.service.name) service is full.")
    }
    if gate.isOverloaded && !isReadOnly || engine.isBatchFull || coldReader.isFull(slot) {
      return Failure(.backpressure, "The \(Core.service.name) service has too much to do.")
    }
    return nil
  }

  private func run(
    _ request: Request, _ rows: [ColdRange: [[UInt8]]], slot: Int,
    _ done: @escaping (Answer) -> Void
  ) {
    switch engine.apply(request, clock: clock(), coldRows: rows) {
    case .done(let outcome):
      keep(outcome, done)
      if !rows.isEmpty { coldReader.finish(slot: slot) }
    case .needs(let ranges):
      // The store holds only what is durable: what the slot has changed must be there first.
      coldReader.hold(slot: slot)
      gate.pass(RowChanges(), slot: slot, time: 0) { [unowned self] in
        read(ranges, for: request, rows, slot: slot, done)
      }
    }
  }

  private func read(
    _ ranges: [ColdRange], for request: Request, _ rows: [ColdRange: [[UInt8]]], slot: Int,
    _ done: @escaping (Answer) -> Void
  ) {
    coldReader.read(ranges, slot: slot) { [unowned self] result in
      switch result {
      case .success(let more):
        run(request, rows.merging(more) { $1 }, slot: slot, done)
      case .failure(let error):
        log.error("cold read failed", ["reason": "\(error)"])
        done(.failure(Failure(.unavailable, "The store cannot be read.")))
        coldReader.finish(slot: slot)
      }
    }
  }

  private func keep(_ outcome: Outcome, _ done: @escaping (Answer) -> Void) {
    gate.pass(outcome.changes, slot: outcome.slot, time: engine.time(clock: clock())) {
      [unowned self] in
      release(outcome, done)
    }
    scheduleCommit()
  }

  /// As `keep`, for a command that may have touched keys of any slot.
  private func keepAll(_ outcome: Outcome) {
    gate.passAll(outcome.changes, time: engine.time(clock: clock())) { [unowned self] in
      release(outcome) { _ in }
    }
    scheduleCommit()
  }

  private func release(_ outcome: Outcome, _ done: (Answer) -> Void) {
    for push in outcome.pushes { connections[push.channel.link]?.push(push) }
    done(outcome.answer)
    if !outcome.effects.isEmpty { dispatcher?.dispatch(outcome.effects) }
  }

  private func scheduleCommit() {
    if isCommitScheduled { return }
    isCommitScheduled = true
    loop.atEndOfTurn { [unowned self] in
      isCommitScheduled = false
      gate.commit()
    }
  }

  // MARK: Connections

  /// Takes a connection whose peer has shown a certificate of ours.
  func accept(_ connection: Connection) -> (any ConnectionDelegate)? {
    guard let role = PeerRole(certificateName: connection.peerName) else { return nil }
    let accepted = NodeConnection(node: self, connection: connection, role: role)
    connections[connection.number] = accepted
    return accepted
  }

  func closed(_ connection: NodeConnection<Core>, reason: CloseReason) {
    connections[connection.number] = nil
    log.info("peer closed", ["peer": connection.peerName, "reason": "\(reason)"])
    close(Array(connection.sessions)[...], of: connection.number)
  }

  /// Ends the channels of a lost gateway a few at a time, so that others are served in between.
  private func close(_ sessions: ArraySlice<UInt64>, of link: UInt64) {
    let step = 128
    for session in sessions.prefix(step) { closeChannel(Channel(link: link, session: session)) }
    let rest = sessions.dropFirst(step)
    if !rest.isEmpty { _ = loop.after(0) { [weak self] in self?.close(rest, of: link) } }
  }

  func closeChannel(_ channel: Channel) { keepAll(engine.closed(channel, clock: clock())) }

  // MARK: What the process says of itself

  var description: ServiceDescription {
    var description = ServiceDescription()
    description.service = Core.service.rawValue
    description.partition = engine.partition.description
    description.routes = engine.router.routes.values.sorted { $0.opcode < $1.opcode }.map { route in
      var facts = RouteFacts()
      facts.opcode = route.opcode.rawValue
      facts.name = route.name
      facts.access = route.access.rawValue
      facts.isReadOnly = route.isReadOnly
      facts.routing = route.routing.rawValue
      facts.needs = route.needs.rawValue
      return facts
    }
    return description
  }

  var status: ServiceStatus {
    var status = ServiceStatus()
    status.name = "muster-\(Core.service.name)"
    status.partition = engine.partition.description
    status.version = MusterVersion.text
    status.isReady = true
    status.uptimeSeconds = (loop.monotonicMilliseconds - startedAt) / 1000
    let gauges: [(name: String, value: UInt64)] = [
      ("connections", UInt64(connections.count)),
      ("effects.open", UInt64(engine.openEffectCount)),
      ("effects.parked", UInt64(engine.parkedEffectCount)),
      ("storage.full", isStorageFull ? 1 : 0),
    ]
    status.metrics = (gauges + metrics.snapshot).map { .init(name: $0.name, value: $0.value) }
    return status
  }
}
