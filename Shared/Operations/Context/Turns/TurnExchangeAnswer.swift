public import Wire

/// What a player has answered in an exchange.
public struct TurnExchangeAnswer: Message, Hashable {
  public var player = PlayerID()
  public var payload = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("payload", &payload)
  }
}
