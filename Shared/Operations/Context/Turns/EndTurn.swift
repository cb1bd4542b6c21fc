public import Wire

/// A timer's: the time of a turn or a round is up, or a seventh of it is left and the players are
/// reminded. It does nothing when the game is at another turn.
///
/// Cost: as the move that was not made.
public struct EndTurn: Operation {
  public static let opcode = Opcode(.context, 0x59)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var number: UInt32 = 0
  public var turn: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("turn", &turn)
  }
}
