public import Wire

/// A hint to the players and the spectators of a turn-based game, on all of their devices: it has
/// changed.
public struct TurnGameChanged: Event {
  public static let opcode = Opcode(.context, 0xC5)
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
