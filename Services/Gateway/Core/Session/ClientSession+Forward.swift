public import Wire

/// Calls that a service answers. The gateway checks them, finds their keys, fetches their facts,
/// and passes them on undecoded.
extension ClientSession {
  var caller: Caller {
    switch state {
    case .player(let player), .closing(let player, _):
      Caller(principal: player.principal, instance: player.instance)
    case .trusted(let caller, _): caller
    case .anonymous, .opening, .closed: Caller()
    }
  }

  // MARK: To the service

  /// Passes a call on that is routed and has its facts.
  ///
  /// - Parameter start: where its operation begins in the frame that is being handled; nil when the
  ///   bytes were copied.
  mutating func forward(
    _ token: CallToken, lentAfter start: Int? = nil, _ gateway: inout GatewayState
  ) {
    guard let call = calls[token]?.leave(now: gateway.now) else {
      preconditionFailure("a call was passed on after its end")
    }
    let copied = call.operation.map(OperationBytes.copied)
    guard let operation = start.map(OperationBytes.lent) ?? copied else {
      preconditionFailure("the bytes of a call are used, and were not copied")
    }
    gateway.act(.forward(token, operation, to: touch(call.service, call.key, gateway)))
  }

  /// Returns the process that owns a key, and notes that it may hold a channel to this client from
  /// now on.
  mutating func touch(_ service: Service, _ key: RoutingKey, _ gateway: GatewayState)
    -> ProcessAddress
  {
    let address = gateway.address(service, key)
    if !touched.contains(address) { touched.append(address) }
    return address
  }

  /// Writes the envelope of a call that is passed on.
  public mutating func outgoing(_ token: CallToken, envelope writer: inout Writer)
    -> (opcode: Opcode, deadlineMilliseconds: UInt32)
  {
    guard let call = calls[token]?.write(envelope: &writer) else {
      preconditionFailure("a call was passed on after its end")
    }
    return call
  }

  // MARK: From the service

  /// A service has answered a call, and its answer passes on as it is. Returns the header for it;
  /// nil when nobody waits for the answer any more.
  public mutating func replied(_ token: CallToken, _ kind: FrameKind) -> FrameHeader? {
    calls.remove(token)?.answered(by: kind)
  }

  /// A service has refused a call, or could not be reached.
  ///
  /// When the service asks for one more fact, the call is made again with that fact. Later calls to
  /// the same key wait for it, except those that are under way already.
  public mutating func refused(
    _ token: CallToken, _ failure: Failure, _ gateway: inout GatewayState
  ) {
    if token.isRelayed {
      let opcode = Opcode(rawValue: token.relayedRequest.opcode)
      return fail(token, failure.seen(of: opcode.service), &gateway)
    }
    guard let call = calls[token] else { return }
    precondition(call.stage == .underWay, "a call was refused that is \(call.stage)")
    guard failure.code == .factRequired else {
      fail(token, failure.seen(of: call.opcode.service), &gateway)
      return
    }
    do throws(Failure) {
      if try settlePair(token, failure, &gateway) { return }
      try check(call, now: gateway.now)
      var facts = call.facts ?? CallFacts()
      calls[token]?.copiedOperation = try facts.add(demandOf: failure, gateway.routes)
      calls[token]?.facts = facts
    } catch {
      fail(token, error, &gateway)
      return
    }
    hold(token, &gateway)
    // The fetch does not wait for an earlier held call to the same key: both calls were under way
    // already. `wake` makes them again in their order.
    fetchFacts(token, &gateway)
  }

  // MARK: Facts

  /// Fetches the missing facts of a call, side by side.
  mutating func fetchFacts(_ token: CallToken, _ gateway: inout GatewayState) {
    guard let call = calls[token], let facts = call.facts else { return }
    calls[token]?.stage = .fetching
    // They are paid for when they are asked for, whatever becomes of the call.
    countFacts(calls[token]?.facts?.takeCost() ?? 0, &gateway)
    for fetch in facts.fetches {
      ask(
        .fact(fetch, token), fetch.opcode, fetch.body, key: fetch.key,
        as: call.envelope.principal, until: call.deadline, trace: call.envelope.traceID, &gateway)
    }
  }

  /// Takes the answer about one fact of a call. A fact that cannot be had ends the call.
  mutating func took(
    _ answer: Result<[UInt8], Failure>, of fetch: FactFetch, for token: CallToken,
    _ gateway: inout GatewayState
  ) {
    guard calls[token] != nil else {
      // The call has ended by now; what it has asked for is fetched all the same.
      if case .success(let reply) = answer {
        countFacts(reply.count / GatewayLimits.factsSizeCounted, &gateway)
      }
      return
    }
    do throws(Failure) {
      try calls[token]?.facts?.take(
        answer.mapError { $0.ofFact().seen(of: fetch.opcode.service) }, of: fetch)
      // The call itself goes on: what it has cost is missing from the calls after it.
      countFacts(calls[token]?.facts?.takeCost() ?? 0, &gateway)
    } catch {
      fail(token, error, &gateway)
    }
    wake(&gateway)
  }
}

extension Failure {
  /// Returns the failure of a question that a service's description named: whoever does not know it
  /// is of an older version.
  func ofFact() -> Failure {
    guard code == .unknownOperation else { return self }
    return Failure(.unavailable, "A process is of too old a version for this call.")
  }

  /// Returns a service's failure as clients see it: what passes between processes does not concern
  /// them.
  func seen(of service: Service?) -> Failure {
    if code == .disconnected, let service {
      return Failure(.unavailable, "The \(service.name) service cannot be reached.")
    }
    return code.remedy == .between ? Failure(.unavailable, text) : self
  }
}
