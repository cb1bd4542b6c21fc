public import Wire

/// Sent by a player of a context: takes part in a game to which the caller is invited, or takes a
/// `matching` seat of it; or declines. If an invited player who has the turn declines, it passes to
/// the next. A game that fewer than two players are left for ends. Repeating an answer does
/// nothing.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game),
/// `notAllowed` (the caller has declined, or has left the game, or no seat is free, or the caller
/// would take a free one without having entered the context), `matchEnded`, `conflict` (the fork is
/// not copied yet), `notReachable` (a player blocks the other). Taking a `matching` seat is a
/// change of the game, with a new version; spectators whom the caller blocks, or who block the
/// caller, watch no more. Cost: a game row; an effect for the caller, and for who gets the turn.
public struct AnswerTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x41)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var accept = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("accept", &accept)
  }
}
