import Operations
package import Wire

/// Where the context of a pair may be while there are several keys that name it: one name under
/// each key, in the order of the keys' numbers.
///
/// A gateway makes the call under the first name. Under a name of a key older than its current one
/// it only finds a context that is there. Where there is none, or the name is closed, the context
/// service asks back, once it has checked that the two may have a context. The gateway then settles
/// the name (`SettlePair`): either the context is there after all, or none ever will be, and the
/// gateway goes on to the next name. So gateways with different current keys find or make the same
/// context: one is made under a name only after all names before it were closed.
package struct PairNames {
  package struct Name: Equatable {
    package var key: RoutingKey
    /// Of a key older than the current one.
    var isOlder: Bool
  }

  private var names: [Name]
  private var place = 0
  /// Whether the gateway waits for the answer to `SettlePair` about the present name.
  var isAsked = false

  init(_ names: [Name]) {
    precondition(!names.isEmpty, "a pair has no name")
    self.names = names
  }

  package var name: Name { names[place] }
  var count: Int { names.count }

  func has(_ key: RoutingKey) -> Bool { names.contains { $0.key == key } }

  /// Goes on to the name under the next key; false when there is none.
  mutating func goOn() -> Bool {
    guard place + 1 < names.count else { return false }
    place += 1
    return true
  }

  /// Returns the facts of a call, and the one that tells the service that the name is an older one.
  func marked(_ facts: Facts) -> Facts {
    guard name.isOlder else { return facts }
    return Facts(facts.all + [Fact(SettlePair.opcode, at: name.key, reply: [])])
  }
}

extension ClientSession {
  /// Settles the name of a pair for which the context service asks back. Returns false for any
  /// other refusal.
  mutating func settlePair(
    _ token: CallToken, _ failure: Failure, _ gateway: inout GatewayState
  ) throws(Failure) -> Bool {
    guard let call = calls[token], let pair = call.pair,
      let demand = try? FactDemand(decoding: failure.detail.array),
      demand.opcode == SettlePair.opcode.rawValue, let operation = demand.operation
    else { return false }
    try check(call, now: gateway.now)
    calls[token]?.copiedOperation = operation.array
    calls[token]?.pair?.isAsked = true
    calls[token]?.stage = .fetching
    hold(token, &gateway)
    ask(
      .pair(token), SettlePair.opcode, SettlePair(at: pair.name.key).encoded, key: pair.name.key,
      as: call.envelope.principal, until: call.deadline, trace: call.envelope.traceID, &gateway)
    return true
  }

  /// Takes the answer to whether a pair's context has a name.
  mutating func settled(
    _ token: CallToken, _ result: Result<SettlePair.Reply, Failure>,
    _ gateway: inout GatewayState
  ) {
    // The call may have ended by now.
    if calls[token] != nil {
      do throws(Failure) {
        let isThere = try result.get().isThere
        if !isThere, calls[token]?.pair?.goOn() != true {
          throw Failure(.unavailable, "The pair's context has a name under a newer key.")
        }
        calls[token]?.pair?.isAsked = false
        if let key = calls[token]?.pair?.name.key { calls[token]?.envelope.routingKey = key }
      } catch {
        fail(token, error, &gateway)
      }
    }
    wake(&gateway)
  }
}
