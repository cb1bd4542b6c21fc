public import Wire

/// Sent by the player who has the turn, or by any player of a game with sealed rounds: changes the
/// public state without passing the turn, and resolves exchanges.
///
/// Errors, in this order: `invalidArgument` (state, hidden), `requiredArgument` (context),
/// `notFound` (context; number: no such game), `notAllowed` (no seat, or not answered the
/// invitation), `conflict` (version, with a `TurnGameView` as with `MakeMove`), `matchEnded`,
/// `conflict` (paused or not copied yet), `notAllowed` (not the caller's turn), `invalidArgument`
/// (resolved: not complete). Cost: a game row and a row for each state.
public struct SaveTurnState: Operation {
  public static let opcode = Opcode(.context, 0x43)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  public var state: Bytes?
  public var hidden: Bytes?
  /// Exchanges whose result is in the state now. They go from the list, and their players are told.
  public var resolved: [UInt32] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("state", &state)
    visit.field("hidden", &hidden)
    visit.field("resolved", &resolved)
  }

  public var fault: Failure? {
    if resolved.count > TurnLimits.exchangesMax {
      return Failure(.invalidArgument, argument: "resolved", "There are not so many exchanges.")
    }
    return turnFault(state: state, hidden: hidden, payload: Bytes())
  }
}
