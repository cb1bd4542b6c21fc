import Domain
import GatewayCore
import Operations
import ServiceKit
import Wire

/// Calls that a service answers: checked, given their key and facts, and sent on undecoded.
extension ClientSession {
  func forward(_ call: ClientCall) {
    let opcode = Opcode(rawValue: call.header.opcode)
    guard let route = node.routes[opcode] else {
      finish(call, .failure(unknown(opcode)))
      return
    }
    guard route.access.allows(principal.kind) else {
      finish(call, .failure(refusal()))
      return
    }
    guard route.isReadOnly || call.envelope.idempotency.isPresent else {
      let failure = Failure(
        .requiredArgument, argument: "idempotency", "A changing call needs an idempotency key.")
      finish(call, .failure(failure))
      return
    }
    var envelope = serviceEnvelope(call)
    do {
      envelope.routingKey = try unsafe CallRouting.key(
        route.routing, operation: call.operation.span.bytes, principal: principal,
        idempotency: envelope.idempotency, keyring: node.keyring)
    } catch {
      finish(call, .failure(error))
      return
    }
    let facts = CallFacts(route.needs, of: principal)
    if route.needs.isEmpty {
      send(call, opcode, envelope, facts)
    } else {
      // Facts belong to other keys; later calls wait, so that order is kept.
      hold()
      fetchFacts(call, opcode, envelope, facts)
    }
  }

  private func unknown(_ opcode: Opcode) -> Failure {
    if let service = opcode.service, !node.routes.knows(service) {
      return Failure(.unavailable, "The \(service.name) service was not reached yet.")
    }
    return Failure(.unknownOperation, "No operation has the opcode \(opcode).")
  }

  func refusal() -> Failure {
    principal.kind == .anonymous
      ? Failure(.notAuthenticated, "Sign in first.")
      : Failure(.notAllowed, "This is not for a \(principal.kind).")
  }

  func serviceEnvelope(_ call: ClientCall) -> ServiceEnvelope {
    var envelope = ServiceEnvelope()
    envelope.trace = call.envelope.trace
    let asked = call.envelope.deadlineMilliseconds
    envelope.deadlineMilliseconds = min(
      asked == 0 ? GatewayLimits.deadlineMillisecondsDefault : asked,
      GatewayLimits.deadlineMillisecondsMax)
    envelope.idempotency = call.envelope.idempotency
    envelope.idempotency.instance = instance
    envelope.principal = principal
    envelope.session = handle
    return envelope
  }

  /// Fetches the facts that are declared, one after the other, then sends the call on.
  private func fetchFacts(
    _ call: ClientCall, _ opcode: Opcode, _ envelope: ServiceEnvelope, _ facts: CallFacts
  ) {
    guard let fetch = facts.next else {
      send(call, opcode, envelope, facts)
      release()
      return
    }
    fetchFact(fetch, call, envelope, facts) { [self] facts in
      if let facts { fetchFacts(call, opcode, envelope, facts) } else { release() }
    }
  }

  private func send(
    _ call: ClientCall, _ opcode: Opcode, _ envelope: ServiceEnvelope, _ facts: CallFacts
  ) {
    guard let address = touch(opcode, envelope.routingKey) else {
      finish(call, .failure(unknown(opcode)))
      return
    }
    var complete = envelope
    complete.facts = facts.facts
    unsafe node.forward(opcode, complete, call.operation.span.bytes, at: address) {
      [self] kind, body in
      if kind == .error, let failure = try? Failure(decoding: body), failure.code == .factRequired {
        sendAgain(call, opcode, envelope, facts, after: failure)
      } else {
        finish(call.header, kind, body)
      }
    }
  }

  /// The process that a call goes to, which may from now on hold a channel to this client.
  private func touch(_ opcode: Opcode, _ key: RoutingKey) -> Peers.Address? {
    guard let service = opcode.service else { return nil }
    let address = node.peers.address(service, slot: Slot.of(key))
    if !touched.contains(address) { touched.append(address) }
    return address
  }

  /// Sends a call on with a fact besides that its service has asked for. Calls behind it do not wait:
  /// they may be on their way already, and most to the same key go through the same detour.
  private func sendAgain(
    _ call: ClientCall, _ opcode: Opcode, _ envelope: ServiceEnvelope, _ facts: CallFacts,
    after refusal: Failure
  ) {
    guard isOpen(call, envelope) else { return }
    var facts = facts
    let fetch: FactFetch
    do throws(Failure) {
      fetch = try facts.demanded(by: refusal)
    } catch {
      finish(call, .failure(error))
      return
    }
    fetchFact(fetch, call, envelope, facts) { [self] facts in
      if let facts { send(call, opcode, envelope, facts) }
    }
  }

  /// Whether the session of a call goes on; else the call is over. The services were told that the
  /// session's handle is gone: a call with it now would subscribe it for ever.
  private func isOpen(_ call: ClientCall, _ envelope: ServiceEnvelope) -> Bool {
    if !isClosed && envelope.session == handle { return true }
    finish(call, .failure(Failure(.notAuthenticated, "The session ended meanwhile.")))
    return false
  }

  /// Adds one fact to a call's; without it the call is over, and `then` gets nil.
  private func fetchFact(
    _ fetch: FactFetch, _ call: ClientCall, _ envelope: ServiceEnvelope, _ facts: CallFacts,
    then: @escaping (CallFacts?) -> Void
  ) {
    // Whose call it is, also when another player has signed in on the connection meanwhile.
    ask(
      fetch.opcode, fetch.body, key: fetch.key, as: envelope.principal,
      deadline: envelope.deadlineMilliseconds
    ) { [self] result in
      guard isOpen(call, envelope) else { return then(nil) }
      var facts = facts
      do throws(Failure) {
        try facts.take(result, of: fetch)
      } catch {
        finish(call, .failure(error))
        return then(nil)
      }
      then(facts)
    }
  }

  /// A call of the gateway's own, on behalf of this client, to a service keyed by the first field.
  func ask<O: Operation>(
    _ operation: O, deadline: UInt32 = GatewayLimits.deadlineMillisecondsDefault,
    done: @escaping (Result<O.Reply, Failure>) -> Void
  ) {
    let body = operation.encoded
    let key = (try? Reader.read(body) { RoutingKey.decode(from: &$0) }.get()) ?? RoutingKey()
    ask(O.opcode, body, key: key, as: principal, deadline: deadline) { result in
      done(
        result.flatMap { reply in
          Result { () throws(WireError) in try O.Reply(decoding: reply) }
            .mapError { Failure(.malformed, "The reply to \(O.name) cannot be read: \($0).") }
        })
    }
  }

  private func ask(
    _ opcode: Opcode, _ body: [UInt8], key: RoutingKey, as principal: Principal, deadline: UInt32,
    done: @escaping (Result<[UInt8], Failure>) -> Void
  ) {
    var envelope = ServiceEnvelope()
    envelope.deadlineMilliseconds = deadline
    envelope.session = handle
    envelope.principal = principal
    envelope.principal.kind = .service
    envelope.routingKey = key
    guard let address = touch(opcode, key) else {
      done(.failure(unknown(opcode)))
      return
    }
    node.call(opcode, envelope, body, at: address, done: done)
  }
}
