public import Wire

/// A hint: it is the player's turn, or a new round is open.
public struct YourTurn: Event {
  public static let opcode = Opcode(.context, 0xC4)
  public static var way: EventWay { .hint }
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
