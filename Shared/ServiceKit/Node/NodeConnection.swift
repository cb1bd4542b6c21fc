import Domain
import Operations
import Transport
import Wire

/// A gateway or another service on a connection to this process.
final class NodeConnection: ConnectionDelegate {
  private unowned let node: ServiceNode
  private let connection: Connection
  private let role: PeerRole
  /// The clients that a gateway spoke for on this connection and that may hold channels.
  private(set) var sessions: Set<UInt64> = []
  /// Where the envelopes of pushes are written, one after the other.
  private var writer = Writer(capacity: 256)
  /// Calls that are not answered yet.
  private var openCount = 0
  /// How many clients went so far.
  private var goneCount = 0
  /// That of the peer's effects, since the first one: a process has one.
  private var store: StoreID?

  init(node: ServiceNode, connection: Connection, role: PeerRole) {
    self.node = node
    self.connection = connection
    self.role = role
  }

  var number: UInt64 { connection.number }
  var peerName: String { connection.peerName ?? "" }

  func connectionReady(_ connection: Connection) {
    node.log[.peers].info("peer connected", ["peer": peerName, "address": connection.address])
  }

  var owesAnswers: Bool { openCount > 0 }

  func connectionClosed(_ connection: Connection, reason: CloseReason) {
    node.closed(self, reason: reason)
    sessions = []
    goneCount += 1
  }

  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    guard header.kind == .request else { return }
    let opcode = Opcode(rawValue: header.opcode)
    let envelope: ServiceEnvelope
    let size: Int
    do {
      (envelope, size) = try Enveloped.envelope(ServiceEnvelope.self, of: body)
    } catch {
      answer(header, .failure(Failure(.malformed, "The envelope cannot be read: \(error).")))
      return
    }
    let operation = body.extracting(droppingFirst: size)
    if opcode.service == node.engine.service, control(header, envelope, operation) { return }
    if let failure = refusal(opcode, envelope.principal.kind, envelope.source) {
      answer(header, .failure(failure))
      return
    }
    run(header, consume envelope, operation)
  }

  /// Runs a call that the peer may make, and answers it.
  private func run(_ header: FrameHeader, _ envelope: consuming ServiceEnvelope, _ body: RawSpan) {
    // One strong reference for all that is asked of it.
    let node = node
    let opcode = Opcode(rawValue: header.opcode)
    let (session, goneBefore) = (envelope.session, goneCount)
    if session != 0 { sessions.insert(session) }
    let (callTime, trace) = (node.callTime(opcode), envelope.traceID)
    let began = node.loop.monotonicMicroseconds
    let milliseconds = UInt64(envelope.deadlineMilliseconds)
    var request = Request(opcode: opcode, envelope: envelope, body: [], link: connection.number)
    if milliseconds > 0 { request.deadline = began + milliseconds * 1000 }
    if let result = node.relay(request, body: body) {
      ended(opcode, trace, result, since: began, callTime)
      return answer(header, result, lazily: true)
    }
    openCount += 1
    node.submit(request, body: body) { [self] result in
      openCount -= 1
      ended(opcode, trace, result, since: began, callTime)
      answer(header, result)
      // The client went while its call waited for rows: what the call subscribed has to go too.
      if goneCount != goneBefore, session != 0, !sessions.contains(session) {
        node.closeChannel(Channel(link: connection.number, session: session))
      }
    }
  }

  /// What the peer's certificate does not entitle it to.
  private func refusal(_ opcode: Opcode, _ kind: PrincipalKind, _ source: EffectSource?) -> Failure?
  {
    guard role.mayClaim(kind) else {
      return Failure(.notAllowed, "\(peerName) may not speak for others.")
    }
    if role != .gateway, let route = node.engine.router[opcode], !role.mayCall(route.access) {
      return Failure(.notAllowed, "\(route.name) is for the gateway alone, not for \(peerName).")
    }
    guard let source else { return nil }
    guard role.mayDeliver(source) else {
      return Failure(.notAllowed, "\(peerName) may not deliver effects of another service.")
    }
    if let store, store != source.store {
      return Failure(.notAllowed, "\(peerName) delivers effects of a second store.")
    }
    store = source.store
    return nil
  }

  /// A call has ended that came at `began`.
  private func ended(
    _ opcode: Opcode, _ trace: TraceID, _ result: Answer, since began: UInt64,
    _ callTime: Metrics.Distribution
  ) {
    let now = node.loop.monotonicMicroseconds
    callTime.record(now - began)
    let failure: Failure? = if case .failure(let failure) = result { failure } else { nil }
    guard node.calls.isAbout(failure, microseconds: now - began) else { return }
    node.calls.ended(
      trace, operation: node.engine.router[opcode]?.name ?? "\(opcode)", peer: peerName, failure,
      microseconds: now - began, now: now)
  }

  /// Answers the calls that every process answers itself; false for all others.
  private func control(
    _ header: FrameHeader, _ envelope: ServiceEnvelope, _ body: RawSpan
  ) -> Bool {
    switch UInt8(truncatingIfNeeded: header.opcode) {
    case Control.describe: answer(header, .reply(node.description.encoded))
    case Control.status: answer(header, .reply(node.status.encoded))
    case Control.channelClosed:
      sessions.remove(envelope.session)
      goneCount += 1
      // Whoever may speak for players may also say that a session of theirs is over.
      var end = ChannelEnd()
      if role.mayClaim(.player), let told = try? ChannelEnd(decoding: body) { end = told }
      node.closeChannel(
        Channel(link: connection.number, session: envelope.session), ending: end.endedInstance)
      answer(header, .reply([]))
    default: return false
    }
    return true
  }

  /// - Parameter lazily: nobody waits for the reply: the sender of live data hears of it from whom
  ///   it is for. A failure leaves at once all the same.
  private func answer(_ header: FrameHeader, _ answer: Answer, lazily: Bool = false) {
    switch answer {
    case .reply(let body):
      let header = FrameHeader(
        kind: .reply, opcode: header.opcode, correlation: header.correlation)
      if lazily {
        unsafe connection.sendLazily(header, body: body.span.bytes)
      } else {
        connection.send(header, body: body)
      }
    case .failure(let failure):
      node.failures.count(failure.code)
      connection.send(
        FrameHeader(kind: .error, opcode: header.opcode, correlation: header.correlation),
        body: failure.encoded)
    }
  }

  /// Passes a push on to those of its clients that this gateway speaks for: one frame for all.
  func push(_ push: Push) {
    var envelope = PushEnvelope()
    switch push.lane {
    case .newest(let key): envelope.replaces = key
    case .ordered: if !push.trace.isNil { envelope.trace = push.trace }
    }
    for channel in push.channels where channel.link == number {
      guard sessions.contains(channel.session) else { continue }
      if envelope.session == 0 {
        envelope.session = channel.session
        if push.channels.count > 1 {
          envelope.others.reserveCapacity(min(push.channels.count - 1, PushEnvelope.othersMax))
        }
        continue
      }
      envelope.others.append(channel.session)
      if envelope.others.count == PushEnvelope.othersMax {
        send(push, envelope)
        (envelope.session, envelope.others) = (0, [])
      }
    }
    if envelope.session != 0 { send(push, envelope) }
  }

  private func send(_ push: Push, _ envelope: PushEnvelope) {
    let header = FrameHeader(kind: .event, opcode: push.opcode, correlation: 0)
    writer.bytes.removeAll(keepingCapacity: true)
    envelope.encode(to: &writer)
    switch push.lane {
    case .ordered: unsafe connection.send(header, prefix: writer.bytes, body: push.body.span.bytes)
    case .newest:
      // A frame takes the place of one to the same clients.
      let lostCount = unsafe connection.send(
        header, prefix: writer.bytes, body: push.body.span.bytes, replacing: envelope.key,
        of: envelope.replaces)
      if lostCount > 0 { node.liveLoss.add(UInt64(lostCount)) }
    }
  }
}

extension PushEnvelope {
  /// Of the stream that the event belongs to, and of whom it goes to.
  fileprivate var key: UInt64 {
    others.reduce((replaces ?? 0) ^ session) { ($0 &* 0x9e37_79b9_7f4a_7c15) ^ $1 }
  }
}
