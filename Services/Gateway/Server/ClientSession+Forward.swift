import Domain
import GatewayCore
import Operations
import ServiceKit
import Wire

/// Calls that a service answers: checked, given their key and facts, and sent on undecoded.
extension ClientSession {
  func forward(_ call: ClientCall, _ operation: RawSpan) {
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
      envelope.routingKey = try CallRouting.key(
        route.routing, operation: operation, principal: principal,
        idempotency: envelope.idempotency, keyring: node.keyring)
    } catch {
      finish(call, .failure(error))
      return
    }
    if route.needs.isEmpty {
      send(call, opcode, envelope, operation)
    } else {
      // Facts belong to other keys; later calls wait, so that order is kept.
      hold()
      let kept = unsafe operation.withUnsafeBytes { unsafe Array($0) }
      fetchFacts(call, opcode, envelope, kept, route.needs)
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

  /// Fetches one fact after the other, in the order of `FactStep`, then sends the call on.
  private func fetchFacts(
    _ call: ClientCall, _ opcode: Opcode, _ envelope: ServiceEnvelope, _ operation: [UInt8],
    _ needs: Needs
  ) {
    guard let step = FactStep(first: needs) else {
      unsafe send(call, opcode, envelope, operation.span.bytes)
      release()
      return
    }
    let rest = needs.subtracting(step.need)
    let caller = (player: principal.player, game: principal.game)
    ask(step, of: caller, deadline: envelope.deadlineMilliseconds) { [self] result in
      switch result {
      // The services were told that this client is gone: a call now would subscribe it for ever.
      case _ where isClosed: release()
      case .success(let attach):
        var complete = envelope
        attach(&complete.facts)
        fetchFacts(call, opcode, complete, operation, rest)
      case .failure(let failure):
        finish(call, .failure(failure))
        release()
      }
    }
  }

  private func ask(
    _ step: FactStep, of caller: (player: PlayerID, game: String), deadline: UInt32,
    _ done: @escaping (Result<(inout Facts) -> Void, Failure>) -> Void
  ) {
    switch step {
    case .friends:
      ask(FetchFriends(of: caller.player), deadline: deadline) { result in
        done(result.map { reply in { $0.friends = reply.friends } })
      }
    case .achievementRules:
      ask(FetchAchievementRules(of: caller.game), deadline: deadline) { result in
        done(result.map { reply in { $0.achievementRules = reply.rules } })
      }
    case .achievements:
      ask(FetchReportedAchievements(of: caller.player), deadline: deadline) { result in
        done(result.map { reply in { $0.achievements = reply.achievements } })
      }
    }
  }

  private func send(
    _ call: ClientCall, _ opcode: Opcode, _ envelope: ServiceEnvelope, _ operation: RawSpan
  ) {
    guard let address = touch(opcode, envelope) else {
      finish(call, .failure(unknown(opcode)))
      return
    }
    let header = call.header
    node.forward(opcode, envelope, operation, at: address) { [self] in finish(header, $0, $1) }
  }

  /// The process that a call goes to, which may from now on hold a channel to this client.
  private func touch(_ opcode: Opcode, _ envelope: ServiceEnvelope) -> Peers.Address? {
    guard let service = opcode.service else { return nil }
    let address = node.peers.address(service, slot: Slot.of(envelope.routingKey))
    if !touched.contains(address) { touched.append(address) }
    return address
  }

  /// A call of the gateway's own, on behalf of this client, to a service keyed by the first field.
  func ask<O: Operation>(
    _ operation: O, deadline: UInt32 = GatewayLimits.deadlineMillisecondsDefault,
    done: @escaping (Result<O.Reply, Failure>) -> Void
  ) {
    var envelope = ServiceEnvelope()
    envelope.deadlineMilliseconds = deadline
    envelope.session = handle
    envelope.principal = principal
    envelope.principal.kind = .service
    let body = operation.encoded
    envelope.routingKey =
      (try? Reader.read(body) { RoutingKey.decode(from: &$0) }.get()) ?? RoutingKey()
    guard let address = touch(O.opcode, envelope) else {
      done(.failure(unknown(O.opcode)))
      return
    }
    node.call(O.opcode, envelope, body, at: address) { result in
      done(
        result.flatMap { reply in
          Result { () throws(WireError) in try O.Reply(decoding: reply) }
            .mapError { Failure(.malformed, "The reply to \(O.name) cannot be read: \($0).") }
        })
    }
  }
}
