public import Wire

/// One way to reach a client: a gateway's connection and the gateway's handle of the client on it.
/// It dies with either.
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
