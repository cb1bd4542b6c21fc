import GatewayCore
import ServiceKit
import Transport
import Wire

// What is logged of clients' calls.

extension GatewayNode {
  /// A call was answered, or its client has gone.
  func ended(_ end: CallEnd) {
    let (operation, now) = (state.routes.name(of: end.opcode), loop.monotonicMicroseconds)
    let peer = (end.opcode.service ?? .gateway).name
    if end.isGivenUp {
      calls.givenUp(
        end.trace, operation: operation, peer: peer, microseconds: end.microseconds, now: now)
    } else {
      calls.ended(
        end.trace, operation: operation, peer: peer, end.failure, microseconds: end.microseconds,
        now: now)
    }
  }

  /// Live data goes to its service. Nothing is kept of it that its answer could be told with.
  func passesOn(_ call: RelayedCall) {
    if !calls.hasAll { return }
    log.debug(
      "live data passed on",
      [
        "trace": call.trace.description, "operation": state.routes.name(of: call.opcode),
        "destination": "\(call.address)",
      ])
  }
}
