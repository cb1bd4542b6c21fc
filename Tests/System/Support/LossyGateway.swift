import Operations
import Stack
import Transport
import Wire

/// A gateway that knows operators and their boards alone. It carries the first declaration out, and
/// loses the connection before it answers.
final class LossyGateway: ConnectionDelegate {
  struct Declaration: Equatable {
    var definition: LeaderboardDefinition
    /// The caller's process, and the key of its call.
    var client: UInt64
    var counter: UInt64
  }

  private(set) var declared: [Declaration] = []
  /// Of the operator that signed in last.
  private var client: UInt64 = 0

  /// Listens on the port of a stack's own gateway, which must not run, until the thread is stopped.
  static func listen(as stack: Stack, on thread: LoopThread) async throws {
    try await thread.run { loop in
      let gateway = LossyGateway()
      loop.keep(gateway)
      let tls = try TLSServerContext(
        certificate: stack.certificate("client.pem"), key: stack.certificate("client.key"))
      _ = try Listener(
        on: loop, host: "127.0.0.1", port: stack.gatewayPort, tls: tls, limits: .client,
        connectionCountMax: 10
      ) { _ in gateway }
    }
  }

  /// What was declared to the gateway of a thread, call by call.
  static func declared(on thread: LoopThread) async -> [Declaration] {
    await thread.run { loop in loop.keptObject(LossyGateway.self)?.declared ?? [] }
  }

  func connectionReady(_ connection: Connection) {}

  func connectionClosed(_ connection: Connection, reason: CloseReason) {}

  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    guard let (envelope, operation) = try? Enveloped.split(ClientEnvelope.self, body) else {
      return
    }
    switch Opcode(rawValue: header.opcode) {
    case SignInOperator.opcode:
      guard let call = try? SignInOperator(decoding: operation) else { return }
      client = call.client
      var started = TrustedSessionStarted()
      started.instance = 5
      answer(header, .reply, started.encoded, connection)
    case DeclareGame.opcode: answer(header, .reply, DeclareGame.Reply().encoded, connection)
    case DefineLeaderboard.opcode:
      guard let call = try? DefineLeaderboard(decoding: operation) else { return }
      declared.append(
        Declaration(
          definition: call.definition, client: client, counter: envelope.idempotency.counter))
      if declared.count == 1 { return connection.close(.local("lost")) }
      answer(header, .reply, DefineLeaderboard.Reply().encoded, connection)
    default:
      let failure = Failure(.notAllowed, "Nobody signs up here.")
      answer(header, .error, failure.encoded, connection)
    }
  }

  private func answer(
    _ header: FrameHeader, _ kind: FrameKind, _ body: [UInt8], _ connection: Connection
  ) {
    connection.send(
      FrameHeader(kind: kind, opcode: header.opcode, correlation: header.correlation), body: body)
  }
}
