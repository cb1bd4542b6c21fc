import Domain
import GatewayCore
import Operations
import ServiceKit
import Wire

/// A gateway's process. It holds the real `ClientSession` of each client and carries out, over the
/// simulated network, what the sessions say.
final class SimulatedGateway {
  /// How many calls per second a player may make: so few that some calls have to wait.
  private static let callsPerSecond = 60
  /// The longest that the gateway waits for a service's answer, which may be lost on the way.
  private static let deadlineMillisecondsMax: Int64 = 2_000
  /// How late a session hears of a demand by the canary `lateDemand`.
  private static let delayOfDemand: Int64 = 30

  private let index: Int
  private unowned let deployment: Deployment
  private var state: GatewayState
  private var clients = SessionTable<GatewayClient>()
  /// How often the process was started. What one life waits for does not reach the next.
  private var life = 0
  /// Who is in which context, as the canary `oldFact` remembers it.
  private var participants: [RoutingKey: [UInt8]] = [:]

  init(_ index: Int, _ deployment: Deployment) {
    self.index = index
    self.deployment = deployment
    state = GatewayState(
      keyring: deployment.keyring, partitions: { _ in deployment.options.partitions },
      settings: SettingValues(GatewayState.settings, [.callsPerSecond: Self.callsPerSecond]),
      operatorSecret: Deployment.operatorSecret, providers: Self.providers,
      wallClock: { [unowned deployment] in deployment.gatewayTime },
      random: { [unowned deployment] in deployment.schedule.random.next() | 1 },
      equals: { $0 == $1 }, hosts: HostCalls())
    state.routes = deployment.routes
  }

  private var schedule: Schedule { deployment.schedule }
  private var endpoint: Endpoint { .gateway(index) }

  /// A client connects.
  func accept(_ line: ClientLine) {
    let client = clients.insert { GatewayClient($0, line) }
    line.toGateway = { [unowned self, unowned client] header, body in
      client.unread.append((header, body))
      read(client)
    }
    event(client) { $0.connected(&$1) }
    line.closedAtGateway = { [unowned self] in
      clients.remove(client.session.number)
      event(client) { $0.closed(&$1) }
    }
  }

  /// Reads the frames that a client has sent, for as long as it is within its budget.
  private func read(_ client: GatewayClient) {
    while !client.isHeldBack, client.line.isUpAtGateway, !client.unread.isEmpty {
      let (header, body) = client.unread.removeFirst()
      event(client) { $0.read(byteCount: WireLimits.frameHeaderSize + body.count, &$1) }
      received(header, body, client)
    }
  }

  private func received(_ header: FrameHeader, _ body: [UInt8], _ client: GatewayClient) {
    var relayed: RelayedCall?
    event(client, frame: body) { session, state in
      if case .relayed(let call) = unsafe session.received(header, body.span.bytes, &state) {
        relayed = call
      }
    }
    guard let relayed else { return }
    forward(
      relayed.token, relayed.opcode, relayed.envelope, Array(body[relayed.operationStart...]),
      to: relayed.address, client)
  }

  private func holdBack(_ client: GatewayClient) {
    let milliseconds = Int64(client.session.takeHold())
    if milliseconds == 0 { return }
    client.heldUntil = max(client.heldUntil, schedule.now + milliseconds)
    if client.isHeldBack { return }
    client.isHeldBack = true
    release(client)
  }

  private func release(_ client: GatewayClient) {
    schedule.at(client.heldUntil) { [self] in
      if schedule.now < client.heldUntil { return release(client) }
      client.isHeldBack = false
      read(client)
    }
  }

  /// The process dies and starts again; its clients' connections go with it.
  func restart() {
    for client in everyone { client.line.loseGateway() }
    clients = SessionTable()
    participants = [:]
    life += 1
  }

  func renewTokens() {
    for client in everyone { event(client) { $0.renewToken(&$1) } }
  }

  private var everyone: [GatewayClient] { clients.clients(from: 0, count: .max / 2).clients }

  // MARK: Services

  /// The link to a process was lost. It is made again as soon as the process runs.
  func lost(_ address: ProcessAddress) {
    schedule.after(schedule.number(1...60)) { [self] in
      guard deployment.network.servers[address]?.isUp == true else { return lost(address) }
      for client in everyone { event(client) { $0.serviceRestored(address, &$1) } }
    }
  }

  func pushed(_ push: Push) {
    let number = SessionNumber(rawValue: push.channel.session)
    guard let client = clients[place: number], client.session.number == number else { return }
    let opcode = Opcode(rawValue: push.opcode)
    // A line takes every frame at once: none waits at the gateway.
    var outcome = unsafe client.session.pushed(opcode, push.body.span.bytes, backlog: 0)
    if outcome == .drop && deployment.options.canary == .stuckCursor { outcome = .send }
    if outcome == .drop { return }
    if let fault = client.notePush(opcode, push.body) { deployment.fail(fault) }
    client.push(opcode, push.body)
    if outcome == .sendAndFinish { client.line.finishAtGateway() }
  }

  // MARK: Doing what a session says

  private func event(
    _ client: GatewayClient, frame: [UInt8] = [],
    _ tell: (inout ClientSession, inout GatewayState) -> Void
  ) {
    state.now = UInt64(schedule.now + deployment.gatewayLeaps)
    tell(&client.session, &state)
    holdBack(client)
    var actions: [ClientAction] = []
    state.exchangeActions(&actions)
    if deployment.options.canary == .overtaking { actions.reverse() }
    for action in actions { perform(action, frame, client) }
  }

  private func perform(_ action: ClientAction, _ frame: [UInt8], _ client: GatewayClient) {
    switch action {
    case .forward(let token, let bytes, let address):
      let operation = unsafe bytes.read(in: frame.span.bytes) { [UInt8](copying: $0) }
      var writer = Writer()
      let opcode = client.session.outgoing(token, envelope: &writer).opcode
      forward(token, opcode, writer.bytes, operation, to: address, client)
    case .call(let call):
      if let known = oldFact(call) {
        schedule.after(0) { [self, life] in
          if life == self.life { event(client) { $0.answered(call, .success(known), &$1) } }
        }
        return
      }
      if call.opcode == OpenSession.opcode { client.isBehind = false }
      send(call.opcode, call.envelope, call.body, to: call.address) { [self] answer in
        remember(answer, to: call)
        if let clamped = clamped(call, answer) {
          return send(call.opcode, call.envelope, clamped, to: call.address) { [self] answer in
            event(client) { $0.answered(call, answer.result, &$1) }
          }
        }
        let answer = opened(call, answer, client)
        event(client) { $0.answered(call, answer.result, &$1) }
      }
    case .answer(let header, let body): tell(client, header, body)
    case .push(let opcode, let body): client.push(opcode, body)
    case .closeChannels(let number, let end, let addresses):
      for address in addresses {
        deployment.network.closeChannel(
          from: endpoint, to: address, session: number.rawValue, ending: end.endedInstance)
      }
    case .wake(let milliseconds): wake(client, after: Int64(milliseconds))
    case .describeDeployment: deployment.fail("nobody asks for the deployment's status")
    case .verify(let token, let errand, _):
      let proof = Self.check(errand.proof, now: deployment.requestClock)
      schedule.after(schedule.wait()) { [self, life] in
        if life == self.life { event(client) { $0.verified(token, errand, .success(proof), &$1) } }
      }
    case .ended: deployment.fail("nothing is to be told of calls that end")
    case .signedIn: deployment.sessions += 1
    case .toldCredential: break
    case .finish, .close: client.line.finishAtGateway()
    }
  }

  /// What the canary `clampedCursor` asks for when a cursor was refused.
  private func clamped(_ call: ServiceCall, _ answer: Answer) -> [UInt8]? {
    guard deployment.options.canary == .clampedCursor, case .failure(let failure) = answer,
      failure.code == .cursorLost, var open = try? OpenSession(decoding: call.body),
      let ends = try? StreamEnds(decoding: failure.detail.array)
    else { return nil }
    (open.cursor, open.cursorEvent) = (ends.newest, EventID())
    return open.encoded
  }

  /// Notes whether a session that was opened has to read on, and spoils that as the canary says.
  private func opened(_ call: ServiceCall, _ answer: Answer, _ client: GatewayClient) -> Answer {
    guard call.opcode == OpenSession.opcode, case .reply(let body) = answer,
      var reply = try? OpenSession.Reply(decoding: body)
    else { return answer }
    client.isBehind = reply.replayedThrough < reply.streamEnd
    client.behind = ["\(reply.replayedThrough) of \(reply.streamEnd) replayed"]
    switch deployment.options.canary {
    case .untoldReplay?: reply.replayedThrough = reply.streamEnd
    case .earlyLive? where client.isBehind:
      var read = ReadEvents()
      read.after = reply.streamEnd
      var envelope = call.envelope
      envelope.principal.kind = .player
      send(ReadEvents.opcode, envelope, read.encoded, to: call.address) { _ in }
    default: break
    }
    return .reply(reply.encoded)
  }

  /// What the gateway takes for the answer to a call by the canary `oldFact`.
  private func oldFact(_ call: ServiceCall) -> [UInt8]? {
    call.opcode == FetchParticipants.opcode ? participants[call.envelope.routingKey] : nil
  }

  private func remember(_ answer: Answer, to call: ServiceCall) {
    guard deployment.options.canary == .oldFact, call.opcode == FetchParticipants.opcode,
      case .reply(let body) = answer
    else { return }
    participants[call.envelope.routingKey] = body
  }

  private func wake(_ client: GatewayClient, after milliseconds: Int64) {
    client.wakeCount += 1
    let number = client.wakeCount
    schedule.after(milliseconds) { [unowned self] in
      // Nothing wakes a connection that is closed, or that another wish has taken the place of.
      guard client.wakeCount == number, client.line.isUpAtGateway else { return }
      event(client) { $0.timeHasPassed(&$1) }
    }
  }

  private func forward(
    _ token: CallToken, _ opcode: Opcode, _ envelope: [UInt8], _ operation: [UInt8],
    to address: ProcessAddress, _ client: GatewayClient
  ) {
    guard
      let envelope = try? unsafe Enveloped.split(ServiceEnvelope.self, envelope.span.bytes).envelope
    else { return deployment.fail("the envelope of \(opcode) cannot be read") }
    let needsDetour = deployment.needsDetour(opcode, envelope)
    if let fault = client.order.forwarded(
      opcode, envelope, operation, isLive: state.routes.isLive(opcode), needsDetour: needsDetour)
    {
      deployment.fail(fault)
    }
    send(opcode, envelope, operation, to: address) { [self] answer in
      if opcode == ReadEvents.opcode { client.noteRead(answer) }
      switch answer {
      case .failure(let failure): refused(token, envelope.trace, failure, client)
      case .reply(let body):
        if let header = client.session.replied(token, .reply) { tell(client, header, body) }
      }
    }
  }

  private func tell(_ client: GatewayClient, _ header: FrameHeader, _ body: [UInt8]) {
    if let fault = client.answer(header, body) { deployment.fail(fault) }
  }

  private func refused(
    _ token: CallToken, _ number: UInt64, _ failure: Failure, _ client: GatewayClient
  ) {
    guard failure.code == .factRequired else {
      return event(client) { $0.refused(token, failure, &$1) }
    }
    guard let demand = try? FactDemand(decoding: failure.detail.array) else {
      return deployment.fail("what fact call \(number) needs cannot be read")
    }
    if let fault = client.order.givenBack(number, demand) { deployment.fail(fault) }
    deployment.count(.callsGivenBack)
    if client.order.isPassed(number) { deployment.count(.callsPassedOnTheirDetour) }
    guard deployment.options.canary == .lateDemand else {
      return event(client) { $0.refused(token, failure, &$1) }
    }
    schedule.after(Self.delayOfDemand) { [self, life] in
      if life == self.life { event(client) { $0.refused(token, failure, &$1) } }
    }
  }

  private func send(
    _ opcode: Opcode, _ envelope: ServiceEnvelope, _ body: [UInt8], to address: ProcessAddress,
    _ done: @escaping (Answer) -> Void
  ) {
    let life = life
    deployment.network.call(
      from: endpoint, to: address, Request(opcode: opcode, envelope: envelope, body: body),
      deadlineMilliseconds: min(
        Int64(envelope.deadlineMilliseconds), Self.deadlineMillisecondsMax)
    ) { [self] answer in
      if life == self.life { done(answer) }
    }
  }
}

/// A client as its gateway sees it, and what its session must keep.
final class GatewayClient {
  var session: ClientSession
  let line: ClientLine
  /// How often the session has asked to be woken; the last wish counts.
  var wakeCount = 0
  /// Frames that wait until the client is within its budget again, and when it is.
  var unread: [(header: FrameHeader, body: [UInt8])] = []
  var isHeldBack = false
  var heldUntil: Int64 = 0
  var order = CallOrder()
  /// Whether the client has to read what it missed before anything newer is pushed.
  var isBehind = false
  /// What it was told since it is, for whoever looks for a fault.
  var behind: [String] = []
  private var newestPush: (number: SessionNumber, sequence: UInt64)?

  init(_ number: SessionNumber, _ line: ClientLine) {
    self.line = line
    session = ClientSession(number, host: .none)
  }

  /// Returns what is wrong with the order of the answers.
  func answer(_ header: FrameHeader, _ body: [UInt8]) -> String? {
    defer { line.answer(header, body) }
    return order.answered(UInt64(header.correlation), isReply: header.kind == .reply)
  }

  func push(_ opcode: Opcode, _ body: [UInt8]) {
    line.answer(FrameHeader(kind: .event, opcode: opcode.rawValue, correlation: 0), body)
  }

  /// The client has read events. A read that fails may have reached the end all the same.
  func noteRead(_ answer: Answer) {
    guard case .reply(let body) = answer, let reply = try? ReadEvents.Reply(decoding: body),
      reply.more
    else { return isBehind = false }
    behind.append("read through \(reply.through)")
  }

  /// Says what is wrong when an event of the stream is pushed again, after a later one, or to a
  /// client that has missed some.
  func notePush(_ opcode: Opcode, _ body: [UInt8]) -> String? {
    guard opcode == StreamEvent.opcode, let event = try? StreamEvent(decoding: body) else {
      return nil
    }
    if isBehind {
      return "event \(event.sequence) was pushed after \(event.after) before what was missed was "
        + "read: \(behind)"
    }
    defer { newestPush = (session.number, event.sequence) }
    guard let newestPush, newestPush.number == session.number,
      newestPush.sequence >= event.sequence
    else { return nil }
    return "event \(event.sequence) was pushed after \(newestPush.sequence) in one session"
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
