public import Wire

/// Sent by an active player of a game with sealed rounds: the caller's move for the open round. The
/// others learn that the caller has moved and nothing else, until the last player has moved or the
/// time is up; then all moves of the round come into the history together, in the order of the
/// seats. A sealed move cannot be changed.
///
/// Errors, in this order: `invalidArgument` (hidden, payload), `requiredArgument` (context),
/// `notFound` (context; number: no such game), `notAllowed` (no seat, or not active; no sealed
/// rounds), `matchEnded`, `conflict` (paused or not copied yet; round: another one is open, or the
/// caller has moved), `limitReached` (payload: with a move for each seat the game would have more
/// than `TurnLimits.movesMax`). Cost: a game row and a row for the move; for the last of a round, a
/// move row and an event for each player.
public struct SealMove: Operation {
  public static let opcode = Opcode(.context, 0x49)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var round: UInt32 = 0
  public var payload = Bytes()
  /// The caller's hidden state; nil leaves it.
  public var hidden: Bytes?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("round", &round)
    visit.field("payload", &payload)
    visit.field("hidden", &hidden)
  }

  public var fault: Failure? { turnFault(state: nil, hidden: hidden, payload: payload) }
}
