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

  /// As `fact(_:at:)`, at the caller's own key.
  @inlinable
  public func fact<O: Operation>(_ type: O.Type) throws(Stop) -> O.Reply {
    try fact(type, at: player)
  }
}
