import Wire

/// Who calls.
struct Caller {
  var principal = Principal()
  /// Stands in the idempotency keys of the calls.
  var instance: UInt64 = 0
  /// Whether the instance is of this connection alone, so that nobody repeats its calls later.
  var endsWithConnection = false

  /// Why a call of theirs is refused that others may make.
  var refusal: Failure {
    principal.kind == .anonymous
      ? Failure(.notAuthenticated, "Sign in first.")
      : Failure(.notAllowed, "This is not open to callers of the kind \(principal.kind).")
  }
}

extension OpenCall {
  /// Finds out whose a call is, whether it may be made, at which key and with which facts. Returns
  /// whether these are still to be fetched.
  @discardableResult
  mutating func route(
    _ operation: RawSpan, from caller: Caller, _ session: SessionNumber,
    _ gateway: inout GatewayState
  ) throws(Failure) -> Bool {
    guard let route = gateway.routes[opcode] else { throw unknown(gateway) }
    guard route.access.allows(caller.principal.kind), !route.access.isForGatewayAlone else {
      throw caller.refusal
    }
    guard route.isReadOnly || envelope.idempotency.isPresent else {
      throw Failure(
        .requiredArgument, argument: "idempotency", "A changing call needs an idempotency key.")
    }
    envelope.idempotency.instance = caller.instance
    envelope.principal = caller.principal
    envelope.session = session.rawValue
    (envelope.routingKey, pair) = try CallRouting.key(
      route.routing, operation: operation, principal: caller.principal,
      idempotency: envelope.idempotency, keyring: gateway.keyring, names: &gateway.nameKeys)
    if !route.needs.isEmpty {
      facts = try CallFacts(route.needs, operation: operation, of: caller.principal)
    }
    isRouted = true
    return needsFacts
  }

  private func unknown(_ gateway: GatewayState) -> Failure {
    if let service = opcode.service, !gateway.routes.knows(service) {
      if !gateway.has(service) { return .leftOut(service) }
      return Failure(.unavailable, "The \(service.name) service was not reached yet.")
    }
    if let service = opcode.service, gateway.routes.isPartlyKnown(opcode) {
      return Failure(
        .unavailable, "Not every process of the \(service.name) service knows this call yet.")
    }
    return Failure(.unknownOperation, "No operation has the opcode \(opcode).")
  }
}
