public import Wire

/// Sent by an active player: ends a pause. The clocks go on where they stood, and the players whom
/// the game waits for get a `TurnPassed`. Nothing happens when the game is not paused.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game),
/// `notAllowed` (no seat, or not active), `matchEnded`, `conflict` (not copied yet). Cost: a game
/// row, an event for each player whom the game waits for, a hint for each other one.
public struct ResumeTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x48)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
  }
}
