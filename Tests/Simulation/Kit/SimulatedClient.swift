import Domain
import GatewayCore
import Operations
import ServiceKit
import Wire

/// A player's client and what a gateway does for it: it keeps calling with the same key until it
/// has an answer, begins its session again whenever the connection is lost, and follows the
/// player's event stream.
final class SimulatedClient {
  private struct OpenCall {
    var counter: UInt64
    var opcode: Opcode
    var body: [UInt8]
    var done: (Answer) -> Void
    var sendings = 0
    var lastFailure = ""
  }

  /// One sending of a call, on its way through a gateway.
  private final class ForwardedCall {
    let call: OpenCall
    var envelope: ServiceEnvelope
    var facts: CallFacts
    var isOver = false

    init(call: OpenCall, envelope: ServiceEnvelope, facts: CallFacts) {
      (self.call, self.envelope, self.facts) = (call, envelope, facts)
    }
  }

  let player: PlayerID
  let kind: PrincipalKind
  private(set) var feed = EventLog()
  private(set) var hints: [HintEvent] = []
  private(set) var gateway: Int
  private let deployment: Deployment
  private let attempt: RoutingKey
  private var instance: UInt64 = 0
  private var lastCounter: UInt64 = 0
  /// The gateway's handle of the connection; every connection has its own.
  private var handle: UInt64 = 0
  private var hasSession = false
  private var isReading = false
  private var open: [UInt64: OpenCall] = [:]
  private(set) var refusals = 0

  init(_ number: UInt64, kind: PrincipalKind = .player, deployment: Deployment) {
    attempt = RoutingKey(high: 0xa77e_0000, low: number)
    player = kind == .player ? deployment.keyring.player(of: attempt) : PlayerID()
    self.kind = kind
    self.deployment = deployment
    gateway = Int(number) % Deployment.gatewayCount
    instance = kind == .player ? 0 : 0x0be7_a000_0000 | number
  }

  private var schedule: Schedule { deployment.schedule }
  private var endpoint: Endpoint { .gateway(gateway) }
  var isReady: Bool { hasSession }
  /// From then on others may know of the player.
  var hasSignedIn: Bool { instance != 0 }
  var openCount: Int { open.count }
  var isIdle: Bool { hasSession && open.isEmpty && !isReading }

  var state: String {
    let calls = open.values.sorted { $0.counter < $1.counter }
      .map { "\($0.counter) \($0.opcode) sent \($0.sendings) times: \($0.lastFailure)" }
    return "\(player), session \(hasSession), reading \(isReading), calls \(calls)"
  }

  // MARK: Session

  func start() {
    newHandle()
    if kind == .player { register() } else { hasSession = true }
  }

  private func newHandle() {
    handle = schedule.random.next() | 1
    deployment.handles[handle] = self
  }

  private func principal(_ kind: PrincipalKind) -> Principal {
    Principal(
      kind: kind, game: Deployment.game, player: player,
      device: deployment.keyring.device(of: attempt))
  }

  /// Calls as the gateway itself, once; an answer for a connection that is gone is nobody's.
  private func ask<O: Operation>(
    _ operation: O, _ done: @escaping (Result<O.Reply, Failure>) -> Void
  ) {
    ask(O.opcode, operation.encoded, key: RoutingKey(reinterpreting: player)) { [self] in
      done(decode(O.self, $0))
    }
  }

  private func ask(
    _ opcode: Opcode, _ body: [UInt8], key: RoutingKey, _ done: @escaping (Answer) -> Void
  ) {
    var envelope = ServiceEnvelope()
    envelope.session = handle
    envelope.principal = principal(.service)
    envelope.routingKey = key
    let handle = handle
    deployment.network.call(
      from: endpoint, to: deployment.address(opcode.service ?? .request, key: key),
      Request(opcode: opcode, envelope: envelope, body: body), deadlineMilliseconds: 2_000
    ) { [self] answer in
      if handle == self.handle { done(answer) }
    }
  }

  private func decode<O: Operation>(_ type: O.Type, _ answer: Answer) -> Result<O.Reply, Failure> {
    switch answer {
    case .failure(let failure): return .failure(failure)
    case .reply(let body):
      guard let reply = try? O.Reply(decoding: body) else {
        deployment.fail("the reply to \(O.name) cannot be read")
        return .failure(Failure(.malformed, ""))
      }
      return .success(reply)
    }
  }

  private func later(_ body: @escaping () -> Void) {
    let handle = handle
    schedule.after(schedule.number(5...120)) { [self] in
      if handle == self.handle { body() }
    }
  }

  private func register() {
    var registration = RegisterDevice()
    registration.player = player
    registration.device = deployment.keyring.device(of: attempt)
    registration.secretHash = Bytes(
      deployment.keyring.secretHash(deployment.keyring.secret(of: attempt)))
    registration.displayName = "Player"
    ask(registration) { [self] result in
      switch result {
      case .success: openSession()
      case .failure(let failure) where failure.code.isTransient: later { self.register() }
      // An earlier sending of the sign-in came through after all.
      case .failure(let failure) where failure.code == .alreadyExists: openSession()
      case .failure(let failure): deployment.fail("a sign-up was refused: \(failure)")
      }
    }
  }

  private func openSession() {
    var request = OpenSession()
    request.player = player
    request.device = deployment.keyring.device(of: attempt)
    request.instance = instance
    request.cursor = feed.through
    if instance == 0 {
      request.secretHash = Bytes(
        deployment.keyring.secretHash(deployment.keyring.secret(of: attempt)))
    }
    ask(request) { [self] result in
      switch result {
      case .success(let reply): opened(reply)
      case .failure(let failure) where failure.code.isTransient: later { self.openSession() }
      case .failure(let failure): deployment.fail("a session was refused: \(failure)")
      }
    }
  }

  private func opened(_ reply: OpenSession.Reply) {
    instance = reply.instance
    hasSession = true
    if feed.through < reply.replayedThrough {
      deployment.fail(
        "a session says that it replayed through \(reply.replayedThrough), the client has "
          + "\(feed.through)")
    }
    for counter in open.keys.sorted() { send(counter) }
    if feed.through < reply.streamEnd { readEvents() }
  }

  /// The connection is lost; another one is made, perhaps to another gateway.
  func reset() {
    guard handle != 0 else { return }
    deployment.handles[handle] = nil
    if kind == .player {
      deployment.network.closeChannel(
        from: endpoint,
        to: deployment.address(.request, key: RoutingKey(reinterpreting: player)),
        session: handle)
    }
    let isRegistered = instance != 0
    hasSession = false
    isReading = false
    gateway = Int(schedule.number(0...Int64(Deployment.gatewayCount - 1)))
    newHandle()
    if kind != .player {
      hasSession = true
      for counter in open.keys.sorted() { send(counter) }
    } else if isRegistered {
      later { self.openSession() }
    } else {
      later { self.register() }
    }
  }

  func listens(to address: Peers.Address) -> Bool {
    kind == .player
      && deployment.address(.request, key: RoutingKey(reinterpreting: player)) == address
  }

  // MARK: Calls

  func call<O: Operation>(
    _ operation: O, _ done: @escaping (Result<O.Reply, Failure>) -> Void = { _ in }
  ) {
    lastCounter += 1
    let key = Ledger.CallKey(instance: instance, counter: lastCounter)
    let body = operation.encoded
    deployment.ledger.ask(key, .init(player: player, opcode: O.opcode, body: body))
    open[lastCounter] = OpenCall(
      counter: lastCounter, opcode: O.opcode, body: body,
      done: { [self] in done(decode(O.self, $0)) })
    send(lastCounter)
  }

  private func send(_ counter: UInt64) {
    guard hasSession, let floor = open.keys.min(), let call = open[counter] else { return }
    guard let route = deployment.routes[call.opcode] else {
      return deployment.fail("the gateway has no route for \(call.opcode)")
    }
    open[counter]?.sendings += 1
    if call.sendings > 0 { deployment.ledger.repeated() }
    var envelope = ServiceEnvelope()
    envelope.idempotency = IdempotencyKey(instance: instance, counter: counter, floor: floor)
    envelope.principal = principal(kind)
    envelope.session = handle
    do throws(Failure) {
      envelope.routingKey = try unsafe CallRouting.key(
        route.routing, operation: call.body.span.bytes, principal: envelope.principal,
        idempotency: envelope.idempotency, keyring: deployment.keyring)
      let facts = try unsafe CallFacts(
        route.needs, operation: call.body.span.bytes, of: envelope.principal)
      forward(ForwardedCall(call: call, envelope: envelope, facts: facts))
    } catch {
      deployment.fail("the gateway finds no key: \(error)")
    }
  }

  /// As a gateway does: with its facts, fetched side by side, and again with those asked for besides.
  private func forward(_ forwarded: ForwardedCall) {
    if forwarded.facts.isComplete { return send(forwarded) }
    for fetch in forwarded.facts.fetches {
      ask(fetch.opcode, fetch.body, key: fetch.key) { [self] answer in
        if forwarded.isOver { return }
        do throws(Failure) {
          try forwarded.facts.take(answer.result, of: fetch)
        } catch {
          forwarded.isOver = true
          return answered(forwarded.call.counter, .failure(error))
        }
        if forwarded.facts.isComplete { send(forwarded) }
      }
    }
  }

  private func send(_ forwarded: ForwardedCall) {
    guard let service = forwarded.call.opcode.service else { return }
    let handle = handle
    forwarded.envelope.facts = forwarded.facts.facts
    deployment.network.call(
      from: endpoint, to: deployment.address(service, key: forwarded.envelope.routingKey),
      Request(
        opcode: forwarded.call.opcode, envelope: forwarded.envelope, body: forwarded.call.body),
      deadlineMilliseconds: 2_000
    ) { [self] answer in
      guard handle == self.handle else { return }
      guard case .failure(let failure) = answer, failure.code == .factRequired else {
        return answered(forwarded.call.counter, answer)
      }
      do throws(Failure) {
        _ = try forwarded.facts.demanded(by: failure, deployment.routes)
        forward(forwarded)
      } catch {
        answered(forwarded.call.counter, .failure(error))
      }
    }
  }

  private func answered(_ counter: UInt64, _ answer: Answer) {
    guard let call = open[counter] else { return }
    if case .failure(let failure) = answer, failure.code.isTransient {
      open[counter]?.lastFailure = failure.description
      let handle = handle
      let wait = Int64(failure.retryAfterMilliseconds) + schedule.number(5...120)
      schedule.after(wait) { [self] in
        if handle == self.handle { send(counter) }
      }
      return
    }
    if case .failure = answer { refusals += 1 }
    open[counter] = nil
    deployment.ledger.told(.init(instance: instance, counter: counter), answer)
    call.done(answer)
  }

  // MARK: Events

  func pushed(_ push: Push) {
    if push.opcode == HintEvent.opcode.rawValue {
      guard let event = try? HintEvent(decoding: push.body) else {
        return deployment.fail("a hint cannot be read")
      }
      return hints.append(event)
    }
    guard push.opcode == StreamEvent.opcode.rawValue else { return }
    guard let event = try? StreamEvent(decoding: push.body) else {
      deployment.fail("a pushed event cannot be read")
      return
    }
    if !take(event) { readEvents() }
  }

  /// False when there is a gap before the event.
  private func take(_ event: StreamEvent) -> Bool {
    if let fault = feed.take(event) { deployment.fail("player \(player): \(fault)") }
    return feed.through >= event.sequence
  }

  private func readEvents() {
    guard !isReading, hasSession else { return }
    isReading = true
    var read = ReadEvents()
    read.after = feed.through
    read.limit = UInt32(schedule.number(1...40))
    var envelope = ServiceEnvelope()
    envelope.principal = principal(.player)
    envelope.routingKey = RoutingKey(reinterpreting: player)
    envelope.session = handle
    let handle = handle
    deployment.network.call(
      from: endpoint, to: deployment.address(.request, key: envelope.routingKey),
      Request(opcode: ReadEvents.opcode, envelope: envelope, body: read.encoded),
      deadlineMilliseconds: 2_000
    ) { [self] answer in
      guard handle == self.handle else { return }
      isReading = false
      switch decode(ReadEvents.self, answer) {
      case .success(let reply):
        for event in reply.events { _ = take(event) }
        if feed.through < reply.through {
          deployment.fail(
            "player \(player) read events through \(reply.through) but got only those through "
              + "\(feed.through)")
        }
        if reply.more { readEvents() }
      case .failure: later { self.readEvents() }
      }
    }
  }
}

extension Answer {
  fileprivate var result: Result<[UInt8], Failure> {
    switch self {
    case .reply(let body): .success(body)
    case .failure(let failure): .failure(failure)
    }
  }
}
