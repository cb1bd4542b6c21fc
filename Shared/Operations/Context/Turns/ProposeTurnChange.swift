public import Wire

/// Sent by an active player: proposes to the others to undo moves, or to pause. It happens when all
/// others agree with `AnswerTurnProposal`, in the same call if there is nobody else. One proposal
/// is open at a time; a move, or anything else that changes the version, ends it.
///
/// An undo brings back the public state, the hidden states, whose turn it was, who comes next and
/// the clocks as they were after move `move`; the moves behind it go. A pause stops the clocks and
/// the time-outs until any player calls `ResumeTurnGame`; exchanges go on.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game),
/// `notAllowed` (no seat, or not active), `matchEnded`, `conflict` (paused or not copied yet; a
/// proposal is open), `invalidArgument` (kind; move: not within the last `TurnLimits.undoDepthMax`
/// moves), `notAllowed` (kind: the game has no undo), `notFound` (move: its states are not kept any
/// more), `rateLimited` (`TurnLimits.newsMax`), `conflict` (a fork is being copied). Cost: a game
/// row and an event for each other player, or a hint for one who blocks the caller or is blocked;
/// an undo reads and removes up to `TurnLimits.undoDepthMax` moves.
public struct ProposeTurnChange: Operation {
  public static let opcode = Opcode(.context, 0x46)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var kind = TurnProposalKind()
  /// Of an undo: how many moves remain.
  public var move: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("kind", &kind)
    visit.field("move", &move)
  }
}
