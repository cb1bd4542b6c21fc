public import Wire

/// Sent by a player of the context who has no seat in the game: watches it, or stops watching. A
/// spectator reads the public state and the moves, and gets hints, but no hidden state, no sealed
/// move before its round is revealed, and nothing of exchanges.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game),
/// `notAllowed` (the caller has a seat, the game has no spectators, or, to begin, the caller was
/// invited to the context and has not entered it), `matchEnded` (to begin), `notReachable` (a
/// player blocks the other), `limitReached` (`TurnLimits.spectatorsMax`). Cost: a game row.
public struct SpectateTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x50)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var isWatching = true
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("isWatching", &isWatching)
  }
}
