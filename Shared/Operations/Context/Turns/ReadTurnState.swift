public import Wire

/// Sent by a player of the game or a spectator: returns the public state as it was after a move, so
/// that a game can be shown move by move.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game,
/// or not kept any more), `notAllowed` (the caller has no seat and does not watch), `notFound`
/// (move: there is none, or its state is not kept any more: those of at most
/// `TurnLimits.smallStateSizeMax` bytes always are, except in a fork for moves before it). Changes
/// nothing; reads two rows.
public struct ReadTurnState: Operation {
  public static let opcode = Opcode(.context, 0x55)
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public var context = ContextID()
  /// As with `ReadTurnGame`.
  public var number: UInt32 = 0
  /// The move's index; 0 for the start.
  public var move: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("move", &move)
  }

  public struct Reply: Message {
    public var state = Bytes()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("state", &state)
    }
  }
}
