public import Wire

/// Sent by the player who has the turn, or by any player of a game with sealed rounds: ends the
/// game with outcomes. Sealed moves of an open round are revealed as its last round: no move is
/// lost.
///
/// Errors, in this order: `invalidArgument` (state, hidden, payload), `requiredArgument` (context),
/// `notFound` (context; number: no such game), `notAllowed` (no seat, or not answered the
/// invitation), `conflict` (version, with a `TurnGameView` as with `MakeMove`), `matchEnded`,
/// `conflict` (paused or not copied yet), `notAllowed` (not the caller's turn), `invalidArgument`
/// (outcomes: not exactly one for each player who is still in the game; then payload: the game has
/// sealed rounds), `limitReached` (payload). Cost: as `MakeMove`, and an event for each player.
public struct EndTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x45)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  /// The last move; empty for none, and in a game with sealed rounds.
  public var payload = Bytes()
  public var state: Bytes?
  public var hidden: Bytes?
  /// One for each player who is invited or active, and not `none`.
  public var outcomes: [TurnSeatOutcome] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("payload", &payload)
    visit.field("state", &state)
    visit.field("hidden", &hidden)
    visit.field("outcomes", &outcomes)
  }

  public var fault: Failure? {
    turnFault(state: state, hidden: hidden, payload: payload)
  }
}
