public import Wire

/// A call of a client that was answered, for the log.
public struct CallEnd: Equatable, Sendable {
  public let opcode: Opcode
  /// Nil for live data that was passed on as it came, of which nothing is kept.
  public let trace: TraceID?
  /// Nil for a call that was carried out.
  public let failure: Failure?
  /// From when the call came until its answer went.
  public let microseconds: UInt64
  /// The client has closed the connection, and gets no answer.
  public var isGivenUp = false
}

extension ClientSession {
  /// What is to be logged of a call that is about to be answered; nil where that is nothing, or
  /// where the call has ended. It is asked once for each call, whose time is measured by it.
  ///
  /// - Parameter failure: nil for one that was carried out.
  public func end(of token: CallToken, _ failure: Failure?, _ gateway: GatewayState) -> CallEnd? {
    if token.isRelayed {
      if !gateway.tellsEnd(failure, 0) { return nil }
      let opcode = Opcode(rawValue: token.relayedRequest.opcode)
      return CallEnd(opcode: opcode, trace: nil, failure: failure, microseconds: 0)
    }
    guard let arrivedAt = calls[token]?.arrivedAt, let opcode = calls[token]?.opcode else {
      return nil
    }
    let microseconds = gateway.microseconds - arrivedAt
    gateway.tookTime(opcode.service, microseconds)
    guard gateway.tellsEnd(failure, microseconds), let trace = calls[token]?.envelope.traceID else {
      return nil
    }
    return CallEnd(opcode: opcode, trace: trace, failure: failure, microseconds: microseconds)
  }

  /// The client has closed the connection: its open calls end without an answer.
  func tellGivenUp(_ gateway: inout GatewayState) {
    let failure = Failure(.disconnected, "The client has closed the connection.")
    for token in calls.tokens {
      guard var told = end(of: token, failure, gateway) else { continue }
      told.isGivenUp = true
      gateway.act(.ended(told))
    }
  }
}
