public import Wire

/// Calls that a service answers: checked, given their key and facts, and sent on undecoded.
extension ClientSession {
  var caller: Caller {
    switch state {
    case .player(let player), .closing(let player, _):
      Caller(principal: player.principal, instance: player.instance)
    case .trusted(let caller): caller
    case .anonymous, .opening, .closed: Caller()
    }
  }

  // MARK: There

  /// Passes a call on that is routed and has its facts.
  ///
  /// - Parameter start: where its operation begins in the frame that is being handled; nil when the
  ///   bytes were kept.
  mutating func forward(
    _ token: CallToken, lentAfter start: Int? = nil, _ gateway: inout GatewayState
  ) {
    guard let call = calls[token], let service = call.opcode.service else {
      preconditionFailure("a call was passed on after its end")
    }
    let operation = start.map { OperationBytes.lent(after: $0) } ?? .kept(call.operation)
    calls[token]?.leave(now: gateway.now)
    gateway.act(
      .forward(token, operation, to: touch(service, call.envelope.routingKey, gateway)))
  }

  /// The process that a call goes to, which may from now on hold a channel to this client.
  mutating func touch(_ service: Service, _ key: RoutingKey, _ gateway: GatewayState)
    -> ProcessAddress
  {
    let address = gateway.address(service, key)
    if !touched.contains(address) { touched.append(address) }
    return address
  }

  /// Writes the envelope of a call that is passed on.
  public func outgoing(_ token: CallToken, envelope writer: inout Writer)
    -> (opcode: Opcode, deadlineMilliseconds: UInt32)
  {
    guard let call = calls[token] else { preconditionFailure("a call was passed on after its end") }
    call.envelope.encode(to: &writer)
    return (call.opcode, call.envelope.deadlineMilliseconds)
  }

  // MARK: And back

  /// A service has answered a call, and its answer passes on as it is: the header that it gets, or nil
  /// when nobody waits for it any more.
  public mutating func replied(_ token: CallToken, _ kind: FrameKind) -> FrameHeader? {
    guard let call = calls.remove(token) else { return nil }
    return FrameHeader(
      kind: kind, opcode: call.header.opcode, correlation: call.header.correlation)
  }

  /// A service has refused a call, or was not reached.
  ///
  /// Where it asks for one more fact, the call is made again with it. Calls to the same key that came
  /// after it wait for it, but for those that are under way already.
  public mutating func refused(
    _ token: CallToken, _ failure: Failure, _ gateway: inout GatewayState
  ) {
    guard let call = calls[token] else { return }
    precondition(call.stage == .underWay, "a call was refused that is \(call.stage)")
    guard failure.code == .factRequired else {
      fail(token, failure.seen(of: call.opcode.service), &gateway)
      return
    }
    do throws(Failure) {
      try check(call, now: gateway.now)
      var facts = call.facts ?? CallFacts()
      calls[token]?.kept = try facts.add(demandOf: failure, gateway.routes)
      calls[token]?.facts = facts
    } catch {
      fail(token, error, &gateway)
      return
    }
    hold(token, &gateway)
    // At once, even behind another: both were on their way already, and go on in their order.
    fetchFacts(token, &gateway)
  }

  // MARK: Facts

  /// Fetches what a call still has to know, side by side.
  mutating func fetchFacts(_ token: CallToken, _ gateway: inout GatewayState) {
    guard let call = calls[token], let facts = call.facts else { return }
    calls[token]?.stage = .fetching
    for fetch in facts.fetches {
      ask(
        .fact(fetch, token), fetch.opcode, fetch.body, key: fetch.key,
        as: call.envelope.principal, until: call.deadline, &gateway)
    }
  }

  /// One fact of a call has come, or cannot be had, which ends the call.
  mutating func took(
    _ answer: Result<[UInt8], Failure>, of fetch: FactFetch, for token: CallToken,
    _ gateway: inout GatewayState
  ) {
    guard calls[token] != nil else { return }
    do throws(Failure) {
      try calls[token]?.facts?.take(
        answer.mapError { $0.seen(of: fetch.opcode.service) }, of: fetch)
    } catch {
      fail(token, error, &gateway)
    }
    wake(&gateway)
  }
}

extension Failure {
  /// A failure of a service as clients see it.
  func seen(of service: Service?) -> Failure {
    guard code == .disconnected, let service else { return self }
    return Failure(.unavailable, "The \(service.name) service cannot be reached.")
  }
}
