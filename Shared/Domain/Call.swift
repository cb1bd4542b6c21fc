public import Wire

/// One way to reach a client: a gateway's connection and the gateway's number of the client's
/// session. It dies with either.
public struct Channel: Hashable, Sendable {
  public var link: UInt64
  public var session: UInt64

  public init(link: UInt64, session: UInt64) {
    self.link = link
    self.session = session
  }
}

/// Everything about a call that is not in its message.
public struct Call: Sendable {
  public var principal: Principal
  /// The key whose state the call may change.
  public var key: RoutingKey
  /// Where to push to the caller; nil for calls that no client connection stands behind.
  public var channel: Channel?
  public var facts: Facts
  /// Who stands in for erased players: a call, or an effect that was under way, may name one. A
  /// handler that would have the player stay somewhere sees to it that the stand-in does not.
  public internal(set) var standIns: Set<PlayerID> = []

  public init(
    principal: Principal, key: RoutingKey, channel: Channel? = nil, facts: Facts = Facts()
  ) {
    self.principal = principal
    self.key = key
    self.channel = channel
    self.facts = facts
  }

  public var player: PlayerID { principal.player }
  public var game: String { principal.game }
}

extension Call {
  /// What the owner of `key` replied to an operation that the call `needs`.
  ///
  /// When the call came without it, the stop refuses the call, and the gateway makes it again with
  /// that fact: so a handler may also ask for what the operation does not declare, before it has
  /// changed anything, at the price of one more way back and forth.
  @inlinable
  public func fact<O: Operation, K>(_ type: O.Type, at key: Identifier<K>) throws(Stop) -> O.Reply {
    let key = RoutingKey(reinterpreting: key)
    guard let reply = facts.reply(to: O.opcode, at: key) else {
      throw .needsFact(FactDemand(O.opcode, at: key))
    }
    do {
      return try O.Reply(decoding: reply)
    } catch {
      throw .refuse(.malformed, "The reply to \(O.name) cannot be read: \(error).")
    }
  }

  /// What the owners of `keys` replied, in the order of the keys. Those that did not come with the
  /// call are asked for together, so that they cost one way back and forth and not one for each.
  ///
  /// A call has at most `CallFacts.factsMax` facts at its gateway, the declared ones included: a
  /// list that a client sends must be bounded well below.
  @inlinable
  public func facts<O: Operation, K>(_ type: O.Type, at keys: [Identifier<K>]) throws(Stop)
    -> [O.Reply]
  {
    var missing: [RoutingKey] = []
    for key in keys.lazy.map({ RoutingKey(reinterpreting: $0) })
    where facts.reply(to: O.opcode, at: key) == nil && !missing.contains(key) {
      missing.append(key)
    }
    if let first = missing.first {
      throw .needsFact(FactDemand(O.opcode, at: first, andAt: Array(missing.dropFirst())))
    }
    var replies: [O.Reply] = []
    replies.reserveCapacity(keys.count)
    for key in keys { replies.append(try fact(type, at: key)) }
    return replies
  }

  /// As `fact(_:at:)`, at the caller's own key.
  @inlinable
  public func fact<O: Operation>(_ type: O.Type) throws(Stop) -> O.Reply {
    try fact(type, at: player)
  }
}
