public import Wire

/// An effect of a player's list on the context of two players one of whom blocks the other: closes
/// it. Nobody is told. Nothing happens to a later generation. A real-time match that is under way
/// goes on until it ends, and no other can be joined; a turn-based game goes with the context.
///
/// Cost: one context row, at most one match row, two effects.
public struct ClosePairContext: Operation {
  public static let opcode = Opcode(.context, 0x2A)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var generation: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("generation", &generation)
  }
}
