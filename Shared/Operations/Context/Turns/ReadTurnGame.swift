public import Wire

/// Sent by a player of the context: returns the game with its public state and the caller's own
/// hidden state. A caller who has no seat and does not watch gets only `info`.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game,
/// or not kept any more). Changes nothing; reads up to three rows.
public struct ReadTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x52)
  public typealias Reply = TurnGameView
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public var context = ContextID()
  /// The game's number; 0 for the one that is under way, or else the last one.
  public var number: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
  }
}
