public import Wire

/// Sent by the player who has the turn: makes a move, and passes the turn on. What the players
/// after it have said in `SetConditionalMoves` is played in the same step. In a game with sealed
/// rounds `SealMove` takes its place.
///
/// The call says the `version` that the caller has seen. If the game has changed meanwhile, the
/// `detail` of the `conflict` is a `TurnGameView` with the current state, so nothing is lost: look,
/// and call again.
///
/// Errors, in this order: `invalidArgument` (state, hidden, payload), `requiredArgument` (context),
/// `notFound` (context; number: no such game), `notAllowed` (no seat, or not answered the
/// invitation), `conflict` (version), `matchEnded`, `conflict` (paused or not copied yet),
/// `notAllowed` (not the caller's turn, or sealed rounds), `invalidArgument` (next), `limitReached`
/// (payload: the game has `TurnLimits.movesMax` moves; save, or end it). Cost: a game row, a move
/// row, a row for each state that is given, and up to three effects; with conditional moves as much
/// again for each.
public struct MakeMove: Operation {
  public static let opcode = Opcode(.context, 0x42)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  /// The move itself, in the game's own form, for the history that all can read.
  public var payload = Bytes()
  /// The public state after it; nil leaves it as it is.
  public var state: Bytes?
  /// The caller's hidden state after it; nil leaves it.
  public var hidden: Bytes?
  /// Who gets the turn, and who after that when one lets the time pass; players who are in the
  /// game, the caller too. Empty for the order of play.
  public var next: [PlayerID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("payload", &payload)
    visit.field("state", &state)
    visit.field("hidden", &hidden)
    visit.field("next", &next)
  }

  public var fault: Failure? {
    turnFault(state: state, hidden: hidden, payload: payload)
  }
}
