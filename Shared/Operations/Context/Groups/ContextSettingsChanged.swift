public import Wire

/// In the durable streams of a group's other players: its owner has changed its settings, which are
/// now these. With another policy the link may be another one, too.
public struct ContextSettingsChanged: Event {
  public static let opcode = Opcode(.context, 0xA4)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var generation: UInt32 = 0
  public var name = ""
  public var sizeMax: UInt32 = 0
  public var policy = JoinPolicy()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("generation", &generation)
    visit.field("name", &name)
    visit.field("sizeMax", &sizeMax)
    visit.field("policy", &policy)
  }
}
