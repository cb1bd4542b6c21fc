public import Wire

/// In the durable streams of a group's other players: its owner has closed it, or the last player
/// who had come has left it.
public struct ContextClosed: Event {
  public static let opcode = Opcode(.context, 0xA5)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var generation: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("generation", &generation)
  }
}
