import GatewayCore
import Operations
import ServiceKit
import Transport
import Wire

/// The gateway on one of its loops: clients on one side, links to the services' processes on the
/// other.
///
/// It keeps nothing that matters: sessions are signed tokens, streams and rosters are the
/// services'.
final class GatewayNode {
  let loop: Loop
  let plan: GatewayPlan
  let log: Log
  let calls: CallLog
  let metrics = Metrics(.gateway)
  let callCount: Metrics.Counter
  /// Pieces of live data that newer ones replaced, or that found no room.
  let liveLoss: Metrics.Counter
  let peers: Peers
  let network: NetworkMeasures
  let number: Int
  /// Tells of the process as a whole.
  var isFirst: Bool { number == 1 }
  private let connectedCount: Metrics.Counter
  private let heldBackCount: Metrics.Counter
  private let droppedHintCount: Metrics.Counter
  var backpressureWords = BackpressureWords()
  /// What the system says of the process, which one of its loops tells.
  let figures: RepeatedLook<ProcessFigures>?
  /// Measures what accepts clients.
  var measureServer: (() -> Void)?
  private let clock: GuardedClock
  private var floodWatch = FloodWatch()
  private let watches: ServiceWatches
  private var warnings = LogPace()
  /// Nil where the deployment takes no identities.
  private let proofs: ProofChecker?
  /// The mailboxes of all loops of the process.
  var mailboxes: [Mailbox<GatewayLoop.Message>] = []
  /// How often the games of the file of keys were looked at.
  var lookAtGamesCount: UInt64 = 0
  /// What the clients' sessions share.
  var state: GatewayState
  /// The actions that are being performed; empty between events, so that its memory is used again.
  private var performing: [ClientAction] = []
  private var clients = SessionTable<ClientConnection>()
  /// Where the envelopes of forwarded calls are written, one after the other.
  private var envelopeWriter = Writer()
  private var everUp: Set<Peers.Address> = []
  /// Where another process than the configured one was found.
  private var misplaced: Set<Peers.Address> = []
  private let startedAt: UInt64
  static let retryMilliseconds: UInt64 = 1_000
  var onReady: (() -> Void)?

  init(
    loop: Loop, number: Int, plan: GatewayPlan, peers: Peers, limits: SharedLimits,
    proofs: SharedProofDesk?, clock: GuardedClock, watches: ServiceWatches, log: Log
  ) {
    self.loop = loop
    self.number = number
    self.clock = clock
    self.plan = plan
    self.log = log
    calls = CallLog(log)
    self.peers = peers
    self.watches = watches
    callCount = metrics.counter(.calls)
    liveLoss = metrics.counter(.replacedLiveData)
    connectedCount = metrics.counter(.connectedClients)
    heldBackCount = metrics.counter(.heldBackClients)
    droppedHintCount = metrics.counter(.droppedClientHints)
    figures = number == 1 ? RepeatedLook(on: loop) { ProcessFigures.read() } : nil
    network = NetworkMeasures(metrics, loop)
    startedAt = loop.monotonicMilliseconds
    self.proofs = proofs.map { [metrics] in
      ProofChecker($0, on: loop, clock: clock.now, log: log, metrics: metrics)
    }
    state = GatewayState(
      keyring: plan.secrets.keyring, partitions: { peers.count(of: $0) }, settings: plan.settings,
      operatorSecret: plan.operatorSecret, operators: plan.secrets.operators,
      providers: plan.identities.providers, wallClock: clock.now,
      random: { UInt64.random(in: 1 ... .max) }, equals: Crypto.constantTimeEquals,
      hosts: limits.calls)
    state.tellsEnd = { [calls] in calls.isAbout($0, microseconds: $1) }
    followLinks()
    startTimers()
  }

  /// Hears what services send, and when their processes come and go.
  private func followLinks() {
    for (address, link) in peers.all {
      link.onEvent = { [unowned self] header, body in pushed(header, body, by: address.service) }
      link.report(to: watches, address, loop: number)
      link.onStateChange = { [unowned self] isUp in changed(address, link, isUp: isUp) }
    }
    measureLinks()
    measureCalls()
  }

  private func startTimers() {
    loop.every(Metrics.turnMilliseconds) { [unowned self] in turnMetrics() }
    loop.every(GatewayLimits.renewalCheckMilliseconds) { [unowned self] in
      inSteps { $0.renewToken() }
    }
    if number == 1 {
      loop.every(GatewayLimits.clockCheckMilliseconds) { [unowned self] in lookAtClock() }
    }
  }

  /// Also while nobody asks for the time: the operator is told soon. What one loop reports is the
  /// process's.
  private func lookAtClock() {
    _ = clock.now()
    let figures = clock.figures
    metrics.counter(.refusedClock).reach(figures.refused)
    metrics.counter(.allowedClock).reach(figures.allowed)
    metrics.gauge(.clockAhead).set(figures.aheadSeconds)
    metrics.gauge(.clockLead).set(figures.leadMilliseconds)
  }

  // MARK: Clients

  func accept(_ connection: Connection) -> any ConnectionDelegate {
    clients.insert { ClientConnection($0, node: self, connection: connection) }
  }

  /// A connection that never opened. Strangers can make any number of these, so the log holds each
  /// only when asked to, and otherwise that there are many.
  func refused(_ address: String, _ reason: CloseReason) {
    metrics.counter(.refusedClients).add()
    if case .hostLimit = reason { metrics.counter(.overHostLimit).add() }
    network.closed(reason)
    log[.clients].debug("client refused", ["address": address, "reason": "\(reason)"])
    if let count = floodWatch.refused(at: loop.monotonicMilliseconds) {
      log[.clients].warning(
        "many connections refused",
        ["count": "\(count)", "last_reason": "\(reason)", "loop": "\(number)"])
    }
  }

  func closed(_ client: ClientConnection, _ connection: Connection, reason: CloseReason) {
    clients.remove(client.session.number)
    network.closed(reason)
    log[.clients].debug("client closed", ["player": client.name, "reason": "\(reason)"])
  }

  /// From now on there are these keys and operators. Whoever has signed in with what is not good
  /// any more is closed, a few at a time.
  func use(_ secrets: GatewaySecrets) {
    state.use(secrets.keyring, operators: secrets.operators)
    inSteps { $0.secretsChanged() }
    lookAtGames()
  }

  /// Handles an event of a client's, as of the present turn. What it led to is done afterwards, by
  /// `performActions`.
  func inEvent<Result>(_ handle: (inout GatewayState) -> Result) -> Result {
    // With a line for each call it is worth a look at the clock how long the call has taken.
    let microseconds = calls.hasAll ? loop.monotonicMicroseconds : loop.monotonicMilliseconds * 1000
    return state.handle(at: loop.monotonicMilliseconds, microseconds, handle)
  }

  /// Performs the actions of the last event, in order. No action leads to another event before this
  /// returns.
  func performActions(_ perform: (ClientAction) -> Void) {
    state.exchangeActions(&performing)
    for action in performing { perform(action) }
    performing.removeAll(keepingCapacity: true)
  }

  /// Says who a proof is about; `done` runs exactly once, not from inside this call.
  func verify(
    _ errand: ProofErrand, withinMilliseconds milliseconds: UInt64,
    done: @escaping (Result<CheckedProof, Failure>) -> Void
  ) {
    guard let proofs else { preconditionFailure("a proof of a provider that is not set up") }
    proofs.check(errand, withinMilliseconds: milliseconds, done: done)
  }

  // MARK: Services

  /// Makes a call of the gateway's own; `done` runs exactly once, not from inside this call.
  func call(_ call: ServiceCall, done: @escaping (Result<[UInt8], Failure>) -> Void) {
    guard let link = peers.link(call.address) else {
      loop.atEndOfTurn { done(.failure(Failure.leftOut(call.address.service))) }
      return
    }
    link.call(
      call.opcode.rawValue, body: Enveloped.join(call.envelope, call.body),
      deadlineMilliseconds: UInt64(call.envelope.deadlineMilliseconds), completion: done)
  }

  /// Passes a client's call on to a service's process, as it came. The client hears of the answer.
  func forward(
    _ operation: RawSpan, to address: ProcessAddress, of client: ClientConnection,
    _ token: CallToken,
    writing envelope: (inout Writer) -> (opcode: Opcode, deadlineMilliseconds: UInt32)
  ) {
    envelopeWriter.bytes.removeAll(keepingCapacity: true)
    let call = envelope(&envelopeWriter)
    forward(
      call.opcode, envelopeWriter.bytes, operation, to: address, of: client, token,
      deadlineMilliseconds: call.deadlineMilliseconds)
  }

  /// - Parameter frame: the body of the frame that the call has come in.
  func forward(_ call: RelayedCall, in frame: RawSpan, of client: ClientConnection) {
    forward(
      call.opcode, call.envelope, frame.extracting(droppingFirst: call.operationStart),
      to: call.address, of: client, call.token, deadlineMilliseconds: call.deadlineMilliseconds)
  }

  private func forward(
    _ opcode: Opcode, _ envelope: [UInt8], _ operation: RawSpan, to address: ProcessAddress,
    of client: ClientConnection, _ token: CallToken, deadlineMilliseconds: UInt32
  ) {
    guard let link = peers.link(address) else {
      let bytes = Failure.leftOut(address.service).encoded
      loop.atEndOfTurn { unsafe client.answered(token.rawValue, .error, bytes.span.bytes) }
      return
    }
    link.forward(
      opcode.rawValue, prefix: envelope, body: operation,
      deadlineMilliseconds: UInt64(deadlineMilliseconds), to: client, tag: token.rawValue)
  }

  /// Tells processes that a session is over: they hold no channel to it any more.
  func closeChannels(_ number: SessionNumber, _ end: ChannelEnd, at addresses: [ProcessAddress]) {
    var envelope = ServiceEnvelope()
    envelope.session = number.rawValue
    for address in addresses { closeChannel(envelope, end, at: address) }
  }

  /// Repeats the message while the link has no room: otherwise the player would stay present for
  /// the others. It stops when the link is lost, because the process then drops the link's channels
  /// by itself. It waits for a process that is away as long as any call of the client, which may
  /// open the channel when the process is back.
  private func closeChannel(
    _ envelope: ServiceEnvelope, _ end: ChannelEnd, at address: ProcessAddress
  ) {
    let opening = peers.link(address)?.openedCount
    control(
      Control.channelClosed, envelope, end.encoded, at: address,
      deadlineMilliseconds: UInt64(GatewayLimits.deadlineMillisecondsMax)
    ) { [unowned self] result in
      guard case .failure(let failure) = result, failure.code == .backpressure,
        peers.link(address)?.openedCount == opening
      else { return }
      loop.after(Self.retryMilliseconds) { [unowned self] in
        closeChannel(envelope, end, at: address)
      }
    }
  }

  /// - Parameter deadlineMilliseconds: nil for the deadline of a client's call that sets none.
  func control(
    _ number: UInt8, _ envelope: ServiceEnvelope, _ body: [UInt8] = [], at address: Peers.Address,
    deadlineMilliseconds: UInt64? = nil,
    done: @escaping (Result<[UInt8], Failure>) -> Void
  ) {
    peers.link(address)?.call(
      Opcode(address.service, number).rawValue, body: Enveloped.join(envelope, body),
      deadlineMilliseconds: deadlineMilliseconds ?? UInt64(state.deadlineMilliseconds),
      completion: done)
  }

  private func changed(_ address: Peers.Address, _ link: Link, isUp: Bool) {
    log[.services].debug(
      isUp ? "link opened" : "link closed", ["service": "\(address)", "loop": "\(number)"])
    if isUp {
      watches.opened(address, loop: number, now: loop.monotonicMilliseconds)
      learn(address, link)
    } else {
      metrics.counter(.lostServices).add()
    }
  }

  /// Asks a process for its routes, until it tells them or is lost: without them its calls are
  /// unknown, and its clients stay unsubscribed.
  private func learn(_ address: Peers.Address, _ link: Link) {
    let opening = link.openedCount
    control(Control.describe, ServiceEnvelope(), at: address) { [unowned self] result in
      if case .success(let body) = result,
        let description = try? ServiceDescription(decoding: body)
      {
        learned(description, from: address)
        return
      }
      // The link's next opening asks by itself.
      guard link.isUp, link.openedCount == opening else { return }
      warn("service does not describe itself", address)
      loop.after(Self.retryMilliseconds) { [self] in
        if link.isUp, link.openedCount == opening { learn(address, link) }
      }
    }
  }

  private func warn(_ event: String, _ address: Peers.Address) {
    let kind = "\(event) \(address)"
    guard let keptBack = warnings.admit(kind, now: loop.monotonicMilliseconds) else { return }
    log[.services].warning(event, ["service": "\(address)", "kept_back": "\(keptBack)"])
  }

  private func learned(_ description: ServiceDescription, from address: Peers.Address) {
    guard isExpected(description, at: address) else { return }
    state.routes.learn(description)
    let isReturn = !everUp.insert(address).inserted
    if isReturn { inSteps { $0.serviceRestored(address) } }
    if everUp.count == peers.all.count {
      if onReady != nil { lookAtGames() }
      onReady?()
      onReady = nil
    }
  }

  /// Whether it is the process that the configuration has at this place. Another one has other
  /// keys: it would refuse the calls that go to it, and those about its own keys would go
  /// elsewhere.
  private func isExpected(_ description: ServiceDescription, at address: Peers.Address) -> Bool {
    let count = peers.count(of: address.service)
    let expected = Partition(index: address.partition, count: count)
    if description.service == address.service.rawValue,
      description.partition == expected.description
    {
      misplaced.remove(address)
      return true
    }
    misplaced.insert(address)
    metrics.counter(.misplacedServices).add()
    let found =
      description.service == address.service.rawValue
      ? "" : "\(Service(rawValue: description.service)?.name ?? "\(description.service)") "
    log[.services].error(
      "service is not the one that is configured",
      [
        "service": "\(address)", "expected": expected.description,
        "found": "\(found)\(description.partition)", "loop": "\(number)",
      ])
    return false
  }

  /// Does something for all clients, a few at a time, so that calls are served in between.
  private func inSteps(from place: Int = 0, _ body: @escaping (ClientConnection) -> Void) {
    let (some, next) = clients.clients(from: place, count: 128)
    for client in some { body(client) }
    if let next { loop.after(0) { [self] in inSteps(from: next, body) } }
  }

  /// An event for one or several clients, whose bytes are copied into what each is sent and nowhere
  /// else.
  ///
  /// - Parameter service: whose process has sent it: a service's events are its own.
  private func pushed(_ header: FrameHeader, _ body: RawSpan, by service: Service) {
    let opcode = Opcode(rawValue: header.opcode)
    guard opcode.service == service,
      let (envelope, size) = try? Enveloped.envelope(PushEnvelope.self, of: body)
    else {
      metrics.counter(.malformedPushes).add()
      return
    }
    let event = body.extracting(droppingFirst: size)
    if let trace = envelope.trace, log.has(.debug) {
      log.debug(
        "event pushed",
        [
          "trace": trace.description, "event": "\(opcode)",
          "clients": "\(1 + envelope.others.count)",
        ])
    }
    push(opcode, event, to: envelope.session, envelope.replaces)
    for session in envelope.others { push(opcode, event, to: session, envelope.replaces) }
  }

  private func push(_ opcode: Opcode, _ event: RawSpan, to session: UInt64, _ replaces: UInt64?) {
    let number = SessionNumber(rawValue: session)
    clients[place: number]?.pushed(opcode, event, to: number, replacing: replaces)
  }

  // MARK: Status

  var report: LoopReport {
    LoopReport(
      number: number, isReady: everUp.count == peers.all.count && misplaced.isEmpty,
      uptimeSeconds: (loop.monotonicMilliseconds - startedAt) / 1000,
      metrics: measuredValues)
  }

  var clientCount: Int { clients.count }

  private var measuredValues: MetricValues {
    measure()
    return metrics.values
  }

  func countConnected() { connectedCount.add() }
  func countHeldBack() { heldBackCount.add() }
  func countDroppedHint() { droppedHintCount.add() }
}

extension GatewayState {
  /// One access of what is to be checked at each.
  fileprivate mutating func handle<Result>(
    at time: UInt64, _ microseconds: UInt64, _ event: (inout GatewayState) -> Result
  ) -> Result {
    now = time
    // It is finer than the time of the turn, and must not seem to go back.
    self.microseconds = max(self.microseconds, microseconds)
    return event(&self)
  }
}
