public import Wire

/// Sent by a player of a game, in turn or out of it: leaves the game with an outcome. If the caller
/// has the turn it passes on, to `next` where that is given; if it was the last move that a sealed
/// round waited for, the round is revealed. When fewer than two players are left, the game ends,
/// and a player who is left alone has `won`. Repeating the call does nothing.
///
/// Who has the turn may change the public state in the same step, so that the others never see a
/// state without the player while the player still has the turn.
///
/// Errors, in this order: `invalidArgument` (state), `requiredArgument` (context), `notFound`
/// (context; number: no such game), `notAllowed` (no seat), `conflict` (the fork is not copied
/// yet), with a state those of `SaveTurnState`, `invalidArgument` (outcome, next). Cost: a game
/// row; with a state, its row; an effect for each player whose list changes; for a round, a move
/// row for each player.
public struct QuitTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x44)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  /// `quit` by default; not `none`.
  public var outcome = TurnOutcome.quit
  /// As with `MakeMove`; counts only for whoever has the turn.
  public var next: [PlayerID] = []
  /// The version that the caller has seen; counts only with a state, as with `MakeMove`.
  public var version: UInt64 = 0
  /// The public state after it, from whoever may change it; nil leaves it as it is.
  public var state: Bytes?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("outcome", &outcome)
    visit.field("next", &next)
    visit.field("version", &version)
    visit.field("state", &state)
  }

  public var fault: Failure? { turnFault(state: state, hidden: nil, payload: Bytes()) }
}
