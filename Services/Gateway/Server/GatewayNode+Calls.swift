import GatewayCore
import ServiceKit
import Transport
import Wire

// What is logged of clients' calls.

extension GatewayNode {
  /// A call was answered.
  func ended(_ end: CallEnd) {
    calls.ended(
      end.trace, operation: state.routes.name(of: end.opcode),
      peer: (end.opcode.service ?? .gateway).name, end.failure, microseconds: end.microseconds,
      now: loop.monotonicMicroseconds)
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
