import GatewayCore
import Operations
import ServiceKit
import Transport
import Wire

/// One client's connection: tells its session what happens, and does what the session says.
final class ClientConnection: ConnectionDelegate, CallAnswerer {
  /// The node drops its reference to a client whose connection has closed.
  private let node: GatewayNode
  private let connection: Connection
  private(set) var session: ClientSession
  /// Fires when the session asked to be woken.
  private var timer: LoopTimer?

  init(_ number: SessionNumber, node: GatewayNode, connection: Connection) {
    self.node = node
    self.connection = connection
    session = ClientSession(number, host: connection.host)
  }

  func connectionReady(_ connection: Connection) {
    node.countConnected()
    event { $0.connected(&$1) }
  }

  var owesAnswers: Bool { session.openCallCount > 0 }

  var isStranger: Bool { session.isStranger }

  func connectionRests(_ connection: Connection) { session.rest() }

  func connectionClosed(_ connection: Connection, reason: CloseReason) {
    timer?.cancel()
    node.closed(self, connection, reason: reason)
    event { $0.closed(&$1) }
  }

  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    defer { holdBack() }
    guard header.kind == .request else { return tell { $0.receivedOther(&$1) } }
    switch tell({ $0.received(header, body, &$1) }) {
    case .relayed(let call):
      node.callCount.add()
      node.passesOn(call)
      node.forward(call, in: body, of: self)
      assert(node.state.actions.isEmpty, "a relayed call leads to something else")
      return
    case .admitted: node.callCount.add()
    case .refused: break
    }
    node.performActions { perform($0, body) }
  }

  func connection(_ connection: Connection, read byteCount: Int) {
    tell { $0.read(byteCount: byteCount, &$1) }
    holdBack()
  }

  /// Reads nothing from a client that is over its budget.
  private func holdBack() {
    let milliseconds = UInt64(session.takeHold())
    if milliseconds == 0 { return }
    node.countHeldBack()
    connection.holdBack(forMilliseconds: max(milliseconds, GatewayLimits.holdMillisecondsMin))
  }

  /// An event that a service sends to the session with this number.
  ///
  /// - Parameter key: of live data, which waits for a slow client in a place of its own.
  func pushed(
    _ opcode: Opcode, _ body: RawSpan, to number: SessionNumber, replacing key: UInt64?
  ) {
    guard number == session.number else { return }
    let header = FrameHeader(kind: .event, opcode: opcode.rawValue, correlation: 0)
    if let key {
      let lostCount = connection.push(header, body: body, replacing: key)
      if lostCount > 0 { node.liveLoss.add(UInt64(lostCount)) }
      return
    }
    switch session.pushed(opcode, body, backlog: connection.outgoingBytes) {
    case .send: connection.push(header, body: body, replacing: nil)
    case .drop: if opcode == HintEvent.opcode { node.countDroppedHint() }
    case .sendAndFinish:
      connection.send(header, body: body)
      connection.finish(.refused("the session was revoked"))
    }
  }

  func serviceRestored(_ address: ProcessAddress) { event { $0.serviceRestored(address, &$1) } }

  func renewToken() { event { $0.renewToken(&$1) } }

  func secretsChanged() { event { $0.secretsChanged(&$1) } }

  // MARK: Doing what the session says

  /// Tells the session of something.
  private func tell<Result>(_ event: (inout ClientSession, inout GatewayState) -> Result) -> Result
  {
    node.inEvent { event(&session, &$0) }
  }

  /// Tells the session of something else than a frame, and does what follows from it.
  private func event(_ event: (inout ClientSession, inout GatewayState) -> Void) {
    tell(event)
    holdBack()
    node.performActions { perform($0, RawSpan()) }
  }

  private func perform(_ action: ClientAction, _ frame: RawSpan) {
    switch action {
    case .forward(let token, let bytes, let address):
      bytes.read(in: frame) { forward(token, $0, to: address) }
    case .call(let call):
      node.call(call) { [self] result in event { $0.answered(call, result, &$1) } }
    case .answer(let header, let body): connection.send(header, body: body)
    case .ended(let end): node.ended(end)
    case .push(let opcode, let body): push(opcode, body)
    case .closeChannels(let number, let end, let addresses):
      node.closeChannels(number, end, at: addresses)
    case .wake(let milliseconds):
      timer?.cancel()
      timer = node.loop.after(milliseconds) { [self] in
        timer = nil
        event { $0.timeHasPassed(&$1) }
      }
    case .describeDeployment(let token, let milliseconds):
      node.deploymentStatus(withinMilliseconds: milliseconds) { [self] processes in
        event { $0.described(token, processes, &$1) }
      }
    case .verify(let token, let errand, let milliseconds):
      node.verify(errand, withinMilliseconds: milliseconds) { [self] result in
        event { $0.verified(token, errand, result, &$1) }
      }
    case .signedIn:
      node.log[.clients].debug("signed in", ["player": name, "game": session.principal.game])
    case .toldCredential(let game):
      node.log[.clients].info(
        "credential told", ["game": game, "operator": session.principal.operatorName])
    case .finish(let reason): connection.finish(.refused(reason))
    case .close(let reason): connection.close(.refused(reason))
    }
  }

  private func forward(_ token: CallToken, _ operation: RawSpan, to address: ProcessAddress) {
    node.forward(operation, to: address, of: self, token) { writer in
      session.outgoing(token, envelope: &writer)
    }
  }

  /// A service has answered a call that was passed on; its reply goes back as it came.
  func answered(_ tag: UInt64, _ kind: FrameKind, _ body: RawSpan) {
    let token = CallToken(rawValue: tag)
    if kind == .error, let failure = try? Failure(decoding: body) {
      return event { $0.refused(token, failure, &$1) }
    }
    let end = token.isRelayed ? nil : tell { $0.end(of: token, nil, $1) }
    if let header = session.replied(token, kind) {
      if kind == .reply,
        token.isRelayed || node.state.routes.isLive(Opcode(rawValue: header.opcode))
      {
        connection.sendLazily(header, body: body)
      } else {
        connection.send(header, body: body)
      }
    }
    if let end { node.ended(end) }
  }

  private func push(_ opcode: Opcode, _ body: [UInt8]) {
    connection.send(
      FrameHeader(kind: .event, opcode: opcode.rawValue, correlation: 0), body: body)
  }

  /// Who the client is, for logs.
  var name: String {
    let principal = session.principal
    return principal.kind == .player ? principal.player.description : principal.kind.description
  }
}
