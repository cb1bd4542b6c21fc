public import Wire

/// In the durable streams of an exchange's players, and of the player who is to resolve it.
public struct TurnExchangeChanged: Event {
  public static let opcode = Opcode(.context, 0xAB)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var number: UInt32 = 0
  public var exchange: UInt32 = 0
  /// Who has caused it; nil for time.
  public var player = PlayerID()
  public var state = TurnExchangeState()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("exchange", &exchange)
    visit.field("player", &player)
    visit.field("state", &state)
  }
}
