public import Wire

/// In the durable streams of a context's other players: a player has entered or left, was let in or
/// removed, or has another role. A removed player gets it as well.
public struct ContextPlayerChanged: Event {
  public static let opcode = Opcode(.context, 0xA1)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var generation: UInt32 = 0
  public var player = PlayerID()
  public var state = ContextPlayerState()
  public var role = ContextRole()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("generation", &generation)
    visit.field("player", &player)
    visit.field("state", &state)
    visit.field("role", &role)
  }
}
