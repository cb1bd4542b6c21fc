import Operations
public import Wire

/// Calls of the gateway's own, on behalf of the client.
extension ClientSession {
  /// Calls the owner of a player's key for one of the client's calls, within that call's deadline.
  mutating func ask<O: Operation>(
    _ operation: O, for player: PlayerID, as principal: Principal? = nil,
    _ purpose: ServiceCall.Purpose, _ token: CallToken, _ gateway: inout GatewayState
  ) {
    guard let (deadline, trace) = asking(for: token) else { return }
    ask(
      purpose, O.opcode, operation.encoded, key: RoutingKey(reinterpreting: player),
      as: principal ?? self.principal, until: deadline, trace: trace, &gateway)
  }

  /// What a question for a call has of it; nil when the call has ended.
  func asking(for token: CallToken) -> (deadline: UInt64, trace: TraceID)? {
    guard let deadline = calls[token]?.deadline, let trace = calls[token]?.envelope.traceID
    else { return nil }
    return (deadline, trace)
  }

  /// - Parameters:
  ///   - principal: who the call is for. Its kind becomes `service`, because the gateway makes the
  ///     call.
  ///   - isForOperator: true for a call in an operator's name, who stays the principal.
  mutating func ask(
    _ purpose: ServiceCall.Purpose, _ opcode: Opcode, _ body: [UInt8], key: RoutingKey,
    as principal: Principal, isForOperator: Bool = false, until deadline: UInt64, trace: TraceID,
    _ gateway: inout GatewayState
  ) {
    guard let service = opcode.service else { preconditionFailure("nobody answers \(opcode)") }
    var envelope = ServiceEnvelope()
    envelope.traceID = trace
    envelope.deadlineMilliseconds = UInt32(clamping: deadline - gateway.now)
    envelope.session = number.rawValue
    envelope.principal = principal
    if !isForOperator { envelope.principal.kind = .service }
    envelope.routingKey = key
    let address = touch(service, key, gateway)
    gateway.act(
      .call(
        ServiceCall(
          purpose: purpose, opcode: opcode, envelope: envelope, body: body, address: address)))
  }

  /// Takes the answer to one of the gateway's own calls; called exactly once for each.
  public mutating func answered(
    _ call: ServiceCall, _ result: Result<[UInt8], Failure>, _ gateway: inout GatewayState
  ) {
    if case .closed = state { return }
    switch call.purpose {
    case .register(let token, let reply):
      switch decoded(RegisterDevice.self, result) {
      case .success: finish(token, reply.encoded, &gateway)
      // The player of an attempt was erased since: the attempt is used up all the same.
      case .failure(let failure) where failure.code == .notReachable:
        fail(
          token, Failure(.alreadyExists, "A player was made by this attempt before."), &gateway)
      case .failure(let failure): fail(token, failure, &gateway)
      }
    case .open(let token): opened(token, decoded(OpenSession.self, result), &gateway)
    case .revoke(let token): revoked(token, decoded(RevokeSession.self, result), &gateway)
    case .restore(let session, let service):
      restored(session, service, decoded(OpenSession.self, result), &gateway)
    case .fact(let fetch, let token): took(result, of: fetch, for: token, &gateway)
    case .pair(let token):
      settled(token, decoded(SettlePair.self, result.mapError { $0.ofFact() }), &gateway)
    case .game(let game, let call, let token):
      took(decoded(FetchGame.self, result), about: game, for: call, token, &gateway)
    case .identity(let step, let token): answered(step, result, token, &gateway)
    }
  }

  func decoded<O: Operation>(_ type: O.Type, _ result: Result<[UInt8], Failure>)
    -> Result<O.Reply, Failure>
  {
    result.mapError { $0.seen(of: O.opcode.service) }.flatMap { reply in
      Result { () throws(WireError) in try O.Reply(decoding: reply) }
        .mapError { Failure(.malformed, "The reply to \(O.name) cannot be read: \($0).") }
    }
  }
}
