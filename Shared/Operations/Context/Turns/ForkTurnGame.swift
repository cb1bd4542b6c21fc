public import Wire

/// Sent by a player or a spectator of a game: opens a new context with a copy of the game as it was
/// after move `move`, to be played on from there. The fork has the public state, the turn, the
/// clocks and the moves up to there, and nobody's hidden state. The caller takes part in it at
/// once, the others are invited; its moves are copied in steps, and it begins when they are. Who
/// has left it by then has no seat in it.
///
/// Errors, in this order: `invalidArgument` (players), `requiredArgument` (context), `notFound`
/// (context; number: no such game), `notAllowed` (the caller has no seat and does not watch; not
/// copied yet), `invalidArgument` (players: not one for each seat of the game, not of the context,
/// or not the caller; move: beyond the last, or within a sealed round), `limitReached`
/// (`TurnLimits.forksMax` at once; context: the caller's `TurnLimits.forksKeptMax`), `notReachable`
/// (players: two of them cannot be brought together), `notFound` (move: its state is not kept any
/// more, which small ones always are), `rateLimited` (`TurnLimits.forksInRowMax`; a spectator may
/// make one in the time of so many). Cost: a context and what it costs, and the moves, copied by
/// timers.
public struct ForkTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x51)
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [
      .fact(FetchOpenedContexts.self, at: .caller), .fact(FetchBlocks.self, at: .caller),
      .fact(FetchBlocks.self, at: .each("players")),
    ]
  }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  /// Who takes each seat in the fork, in the order of the seats; each is of the context, and the
  /// caller is among them.
  public var players: [PlayerID] = []
  /// How many moves the fork begins with.
  public var move: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("players", &players)
    visit.field("move", &move)
  }

  public var fault: Failure? {
    if (1...TurnLimits.playersMax).contains(players.count), Set(players).count == players.count {
      return nil
    }
    return Failure(.invalidArgument, argument: "players", "Players are named, each once.")
  }

  public struct Reply: Message {
    /// The new context; it may take a moment until it is there.
    public var context = ContextID()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("context", &context)
    }
  }
}
