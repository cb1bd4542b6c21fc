import Domain
import GatewayCore
import Operations
import ServiceKit
import Transport
import Wire

/// One client's connection: who it is, what it may still ask, and what it is waiting for.
final class ClientSession: ConnectionDelegate {
  /// The node lets go of a client that has closed.
  let node: GatewayNode
  let connection: Connection
  /// The gateway's name for this connection towards the services.
  var handle: UInt64 = 0
  var principal = Principal()
  /// The instance of the session, which stands in every idempotency key of this client.
  var instance: UInt64 = 0
  /// When the client last got a token, on the monotonic clock.
  var tokenIssuedAt: UInt64 = 0
  /// The newest event of the player's stream that was pushed here.
  var pushedThrough: UInt64 = 0
  /// The processes that may hold a channel to this client.
  var touched: [Peers.Address] = []
  /// Until a player signs in; from then on the player's own counts.
  private var budget: TokenBucket
  private var openCalls = 0
  /// Calls behind one that must be finished first: a sign-in, or one whose facts are being fetched.
  private var waiting = Queue<ClientCall>()
  private var isHeld = false
  private(set) var isClosed = false

  init(node: GatewayNode, connection: Connection) {
    self.node = node
    self.connection = connection
    budget = TokenBucket(
      perSecond: node.plan.callsPerSecond, burst: node.plan.callsPerSecond * 2,
      now: node.loop.monotonicMilliseconds)
  }

  var playerText: String {
    principal.kind == .player ? principal.player.description : principal.kind.description
  }

  func connectionReady(_ connection: Connection) { node.metrics.count("clients.connected") }

  func connectionClosed(_ connection: Connection, reason: CloseReason) {
    isClosed = true
    waiting = Queue()
    node.closed(self, reason: reason)
  }

  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    if header.kind == .request { request(header, body) }
  }

  private func request(_ header: FrameHeader, _ body: RawSpan) {
    // Before anything is read: what cannot be read costs as much.
    if let wait = takeCall() {
      node.metrics.count("calls.rateLimited")
      fail(
        header,
        Failure(
          .rateLimited, "Too many calls.",
          retryAfterMilliseconds: UInt32(clamping: wait)))
      return
    }
    let call: ClientCall
    do {
      let (envelope, operation) = try Enveloped.split(ClientEnvelope.self, body)
      call = ClientCall(header: header, envelope: envelope, operation: operation)
    } catch {
      fail(header, Failure(.malformed, "The envelope cannot be read: \(error)."))
      return
    }
    if openCalls >= GatewayLimits.openCallsMax
      || waiting.count >= GatewayLimits.waitingCallsMax
    {
      fail(header, Failure(.backpressure, "Too many calls of this connection are open."))
    } else if isHeld {
      waiting.append(call)
    } else {
      run(call)
    }
  }

  private func takeCall() -> UInt64? {
    principal.kind == .player
      ? node.takeCall(of: principal.player) : budget.take(now: node.loop.monotonicMilliseconds)
  }

  private func run(_ call: ClientCall) {
    node.callCount.add()
    openCalls += 1
    let opcode = Opcode(rawValue: call.header.opcode)
    if opcode.service == .gateway {
      answerHere(call)
    } else {
      forward(call)
    }
  }

  /// Later calls wait until `release`.
  func hold() { isHeld = true }

  func release() {
    isHeld = false
    while !isHeld, !waiting.isEmpty { run(waiting.removeFirst()) }
  }

  // MARK: Answers

  func finish(_ call: ClientCall, _ result: Result<[UInt8], Failure>) {
    switch result {
    case .success(let body): unsafe finish(call.header, .reply, body.span.bytes)
    case .failure(let failure): finish(call.header, failure)
    }
  }

  func finish(_ header: FrameHeader, _ failure: Failure) {
    unsafe finish(header, .error, failure.encoded.span.bytes)
  }

  /// Answers a call with a reply or an error.
  func finish(_ header: FrameHeader, _ kind: FrameKind, _ body: RawSpan) {
    openCalls -= 1
    if isClosed { return }
    connection.send(
      FrameHeader(kind: kind, opcode: header.opcode, correlation: header.correlation), body: body)
  }

  private func fail(_ header: FrameHeader, _ failure: Failure) {
    connection.send(
      FrameHeader(kind: .error, opcode: header.opcode, correlation: header.correlation),
      body: failure.encoded)
  }

  func push(opcode: UInt16, _ event: [UInt8]) {
    if opcode == StreamEvent.opcode.rawValue,
      let sequence = try? Reader.read(event, { $0.integer(UInt64.self) }).get()
    {
      // Seen already: a subscription was made anew while an older push was on its way.
      if sequence <= pushedThrough { return }
      pushedThrough = sequence
    }
    connection.send(FrameHeader(kind: .event, opcode: opcode, correlation: 0), body: event)
    if opcode == SessionRevoked.opcode.rawValue {
      connection.finish(.refused("the session was revoked"))
    }
  }
}

/// A client's call as it came.
struct ClientCall {
  var header: FrameHeader
  var envelope: ClientEnvelope
  var operation: [UInt8]
}
