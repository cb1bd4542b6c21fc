public import Wire

/// In a player's durable stream: the player's request to be let in was answered. One who was let in
/// enters the context with `SwitchContext`.
public struct ContextRequestAnswered: Event {
  public static let opcode = Opcode(.context, 0xA3)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var generation: UInt32 = 0
  public var isAccepted = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("generation", &generation)
    visit.field("isAccepted", &isAccepted)
  }
}
