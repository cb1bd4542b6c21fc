import Domain
import GatewayCore
import Operations
import ServiceKit
import Transport
import Wire

/// The gateway on one of its loops: clients on one side, links to the services' processes on the
/// other.
///
/// It keeps nothing that matters: sessions are signed tokens, streams and rosters are the services'.
final class GatewayNode {
  let loop: Loop
  let plan: GatewayPlan
  let log: Log
  let metrics = Metrics()
  let callCount: Metrics.Counter
  let keyring: Keyring
  let peers: Peers
  private let number: Int
  private let limits: SharedLimits
  /// The ways to all loops of the process.
  var loops: [Mailbox<GatewayLoop.Message>] = []
  private(set) var routes = RouteTable()
  private var clients = ClientTable()
  /// Where the envelopes of forwarded calls are written, one after the other.
  private var envelopeWriter = Writer()
  /// This loop's own, unlike the limits that are used once per connection: a lock that all calls
  /// take would tie the loops together.
  private var callBudgets: KeyedBudgets<PlayerID>
  private var everUp: Set<Peers.Address> = []
  private let startedAt: UInt64
  private static let describeRetryMilliseconds: UInt64 = 1_000
  var onReady: (() -> Void)?

  init(
    loop: Loop, number: Int, plan: GatewayPlan, peers: Peers, limits: SharedLimits, log: Log
  ) {
    self.loop = loop
    self.number = number
    self.limits = limits
    self.plan = plan
    self.log = log
    self.peers = peers
    callCount = metrics.counter("calls")
    let secret = plan.authSecret
    keyring = Keyring { Crypto.hmacSHA256(key: secret, data: $0) }
    callBudgets = KeyedBudgets(perSecond: plan.callsPerSecond, burst: plan.callsPerSecond * 2)
    startedAt = loop.monotonicMilliseconds
    for (address, link) in peers.all {
      link.onEvent = { [unowned self] header, body in pushed(header, body) }
      link.logFailedAttempts(log, peer: "\(address)")
      link.onStateChange = { [unowned self] isUp in changed(address, link, isUp: isUp) }
    }
    loop.every(GatewayLimits.renewalCheckMilliseconds) { [unowned self] in
      inSteps(clients.handles[...]) { $0.renewToken() }
    }
  }

  // MARK: Clients

  /// Nil when the host has too many connections already.
  func accept(_ connection: Connection) -> (any ConnectionDelegate)? {
    guard limits.openConnection(of: connection.address) else {
      metrics.count("clients.overHostLimit")
      return nil
    }
    let client = ClientSession(node: self, connection: connection)
    client.handle = clients.insert(client)
    return client
  }

  /// A connection that never opened. Strangers can make any number of these, so the log holds them
  /// only when asked to.
  func refused(_ address: String, _ reason: CloseReason) {
    metrics.count("clients.refused")
    log.debug("client refused", ["address": address, "reason": "\(reason)"])
  }

  func closed(_ client: ClientSession, reason: CloseReason) {
    limits.closeConnection(of: client.connection.address)
    forget(client)
    log.debug("client closed", ["player": client.playerText, "reason": "\(reason)"])
  }

  /// Gives a client whose session is over a new handle, so that nothing which belongs to that session
  /// can reach whoever signs in next on the connection.
  func renew(_ client: ClientSession) {
    forget(client)
    if !client.isClosed { client.handle = clients.insert(client) }
  }

  /// Takes a client's handle back here and at every process that may hold a channel to it.
  private func forget(_ client: ClientSession) {
    clients.remove(client.handle)
    var envelope = ServiceEnvelope()
    envelope.session = client.handle
    for address in client.touched {
      control(Control.channelClosed, envelope, at: address) { _ in }
    }
    client.touched = []
  }

  /// Takes one sign-in from the budget of an address; when it is used up, the time until it is not.
  func takeSignIn(from address: String) -> UInt64? {
    limits.takeSignIn(from: address, now: loop.monotonicMilliseconds)
  }

  /// Takes one call from a player's budget, which all of its connections on this loop share.
  func takeCall(of player: PlayerID) -> UInt64? {
    callBudgets.take(player, now: loop.monotonicMilliseconds)
  }

  // MARK: Services

  /// Calls a service's process; a lost link is `unavailable`, for the outcome is then unknown.
  func call(
    _ opcode: Opcode, _ envelope: ServiceEnvelope, _ body: [UInt8], at address: Peers.Address,
    done: @escaping (Result<[UInt8], Failure>) -> Void
  ) {
    let request = Request(opcode: opcode, envelope: envelope, body: body)
    let deadline = UInt64(envelope.deadlineMilliseconds)
    peers.call(address, request, deadlineMilliseconds: deadline) { answer in
      switch answer {
      case .reply(let reply): done(.success(reply))
      case .failure(let failure): done(.failure(Self.seen(failure, at: address)))
      }
    }
  }

  /// Passes a client's call on to a service's process, and the answer back, as they came.
  func forward(
    _ opcode: Opcode, _ envelope: ServiceEnvelope, _ operation: RawSpan, at address: Peers.Address,
    done: @escaping (FrameKind, RawSpan) -> Void
  ) {
    guard let link = peers.link(address) else {
      let bytes = Failure(.unavailable, "No address is configured for \(address).").encoded
      unsafe done(.error, bytes.span.bytes)
      return
    }
    envelopeWriter.bytes.removeAll(keepingCapacity: true)
    envelope.encode(to: &envelopeWriter)
    link.forward(
      opcode.rawValue, prefix: envelopeWriter.bytes, body: operation,
      deadlineMilliseconds: UInt64(envelope.deadlineMilliseconds), completion: done)
  }

  /// A failure of a service as its clients see it.
  static func seen(_ failure: Failure, at address: Peers.Address) -> Failure {
    guard failure.code == .disconnected else { return failure }
    return Failure(.unavailable, "The \(address.service.name) service cannot be reached.")
  }

  func control(
    _ number: UInt8, _ envelope: ServiceEnvelope, at address: Peers.Address,
    done: @escaping (Result<[UInt8], Failure>) -> Void
  ) {
    peers.link(address)?.call(
      Opcode(address.service, number).rawValue, body: Enveloped.join(envelope, []),
      deadlineMilliseconds: UInt64(GatewayLimits.deadlineMillisecondsDefault), completion: done)
  }

  private func changed(_ address: Peers.Address, _ link: Link, isUp: Bool) {
    log.info(
      isUp ? "service reached" : "service lost", ["service": "\(address)", "loop": "\(number)"])
    if isUp { learn(address, link) }
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
      log.warning("service does not describe itself", ["service": "\(address)"])
      loop.after(Self.describeRetryMilliseconds) { [self] in
        if link.isUp, link.openedCount == opening { learn(address, link) }
      }
    }
  }

  private func learned(_ description: ServiceDescription, from address: Peers.Address) {
    routes.learn(description)
    let isReturn = !everUp.insert(address).inserted
    if isReturn { inSteps(clients.handles[...]) { $0.restore(address) } }
    if everUp.count == peers.all.count {
      onReady?()
      onReady = nil
    }
  }

  /// Does something for many clients, a few at a time, so that calls are served in between.
  private func inSteps(_ handles: ArraySlice<UInt64>, _ body: @escaping (ClientSession) -> Void) {
    let step = 128
    for handle in handles.prefix(step) {
      if let client = clients[handle] { body(client) }
    }
    let rest = handles.dropFirst(step)
    if !rest.isEmpty { loop.after(0) { [self] in inSteps(rest, body) } }
  }

  private func pushed(_ header: FrameHeader, _ body: RawSpan) {
    guard let (envelope, event) = try? Enveloped.split(PushEnvelope.self, body) else {
      metrics.count("pushes.malformed")
      return
    }
    clients[envelope.session]?.push(opcode: header.opcode, event)
  }

  // MARK: Status

  var report: LoopReport {
    LoopReport(
      number: number, isReady: everUp.count == peers.all.count,
      uptimeSeconds: (loop.monotonicMilliseconds - startedAt) / 1000, clientCount: clients.count,
      metrics: metrics.values)
  }
}
