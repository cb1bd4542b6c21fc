public import Wire

/// Sent by an active player: agrees to the open proposal of another player, or declines it, which
/// ends it. A player who has proposed takes it back by declining.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game),
/// `notAllowed` (no seat, or not active), `notFound` (proposal: it is not open), `conflict` (a fork
/// is being copied). Cost: as `ProposeTurnChange`.
public struct AnswerTurnProposal: Operation {
  public static let opcode = Opcode(.context, 0x47)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var proposal: UInt32 = 0
  public var accept = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("proposal", &proposal)
    visit.field("accept", &accept)
  }
}
