import Domain
import GatewayCore
import Operations
import ServiceKit
import Wire

/// A client's call on its way through a service. It is kept until it is answered: the service may ask
/// for a fact besides, and the call is then sent again.
final class ForwardedCall {
  let header: FrameHeader
  let operation: [UInt8]
  var envelope: ServiceEnvelope
  var facts: CallFacts
  /// True once it is answered, whatever of its facts is still on the way.
  var isOver = false

  init(
    header: FrameHeader, operation: [UInt8], envelope: ServiceEnvelope, facts: CallFacts
  ) {
    self.header = header
    self.operation = operation
    self.envelope = envelope
    self.facts = facts
  }

  var opcode: Opcode { Opcode(rawValue: header.opcode) }
}

/// Calls that a service answers: checked, given their key and facts, and sent on undecoded.
extension ClientSession {
  func forward(_ call: ClientCall) {
    let opcode = Opcode(rawValue: call.header.opcode)
    guard let route = node.routes[opcode] else { return finish(call.header, unknown(opcode)) }
    guard route.access.allows(principal.kind) else { return finish(call.header, refusal()) }
    guard route.isReadOnly || call.envelope.idempotency.isPresent else {
      let failure = Failure(
        .requiredArgument, argument: "idempotency", "A changing call needs an idempotency key.")
      return finish(call.header, failure)
    }
    var envelope = serviceEnvelope(call)
    let facts: CallFacts
    do {
      facts = try unsafe CallFacts(
        route.needs, operation: call.operation.span.bytes, of: principal)
      envelope.routingKey = try unsafe CallRouting.key(
        route.routing, operation: call.operation.span.bytes, principal: principal,
        idempotency: envelope.idempotency, keyring: node.keyring)
    } catch {
      return finish(call.header, error)
    }
    let forwarded = ForwardedCall(
      header: call.header, operation: call.operation, envelope: envelope,
      facts: facts)
    if facts.isComplete {
      send(forwarded)
    } else {
      // Facts belong to other keys; later calls wait, so that order is kept.
      hold()
      fetchFacts(forwarded)
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

  private func serviceEnvelope(_ call: ClientCall) -> ServiceEnvelope {
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

  /// Fetches the facts that are declared, side by side, then sends the call on.
  private func fetchFacts(_ call: ForwardedCall) {
    for fetch in call.facts.fetches {
      fetchFact(fetch, call) { [self] in
        if !call.isOver { send(call) }
        release()
      }
    }
  }

  private func send(_ call: ForwardedCall) {
    guard let address = touch(call.opcode, call.envelope.routingKey) else {
      return finish(call.header, unknown(call.opcode))
    }
    call.envelope.facts = call.facts.facts
    let operation = call.operation
    unsafe node.forward(call.opcode, call.envelope, operation.span.bytes, at: address) {
      [self] kind, body in
      if kind == .error, let failure = try? Failure(decoding: body) {
        refused(call, failure, at: address)
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

  private func refused(_ call: ForwardedCall, _ failure: Failure, at address: Peers.Address) {
    if failure.code == .factRequired {
      sendAgain(call, after: failure)
    } else {
      finish(call.header, GatewayNode.seen(failure, at: address))
    }
  }

  /// Sends a call on with a fact besides that its service has asked for. Calls behind it do not wait:
  /// they may be on their way already, and most to the same key go through the same detour.
  private func sendAgain(_ call: ForwardedCall, after refusal: Failure) {
    guard isOpen(call) else { return }
    do throws(Failure) {
      fetchFact(try call.facts.demanded(by: refusal, node.routes), call) { [self] in
        if !call.isOver { send(call) }
      }
    } catch {
      end(call, error)
    }
  }

  /// Whether the session of a call goes on; else the call is over. The services were told that the
  /// session's handle is gone: a call with it now would subscribe it for ever.
  private func isOpen(_ call: ForwardedCall) -> Bool {
    if !isClosed && call.envelope.session == handle { return true }
    end(call, Failure(.notAuthenticated, "The session ended meanwhile."))
    return false
  }

  private func end(_ call: ForwardedCall, _ failure: Failure) {
    call.isOver = true
    finish(call.header, failure)
  }

  /// Adds one fact to a call's. Calls `then` once for all that are fetched side by side: when all are
  /// there, or when the call is over for want of one.
  private func fetchFact(_ fetch: FactFetch, _ call: ForwardedCall, then: @escaping () -> Void) {
    // Whose call it is, also when another player has signed in on the connection meanwhile.
    ask(
      fetch.opcode, fetch.body, key: fetch.key, as: call.envelope.principal,
      deadline: call.envelope.deadlineMilliseconds
    ) { [self] result in
      if call.isOver { return }
      guard isOpen(call) else { return then() }
      do throws(Failure) {
        try call.facts.take(result, of: fetch)
      } catch {
        end(call, error)
      }
      if call.isOver || call.facts.isComplete { then() }
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
