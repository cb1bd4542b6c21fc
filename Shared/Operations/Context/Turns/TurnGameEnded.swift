public import Wire

/// In the durable streams of the players of a turn-based game: it has ended.
public struct TurnGameEnded: Event {
  public static let opcode = Opcode(.context, 0xAA)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
  }
}
