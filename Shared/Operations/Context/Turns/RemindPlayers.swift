public import Wire

/// Sent by an active player: reminds players on whom the game waits. Each gets a `TurnReminder`. A
/// game has one reminder in `TurnLimits.reminderMilliseconds`.
///
/// Errors, in this order: `invalidArgument` (players), `requiredArgument` (context), `notFound`
/// (context; number: no such game), `notAllowed` (no seat, or not active), `matchEnded`, `conflict`
/// (paused or not copied yet), `invalidArgument` (players: the game does not wait for one of them),
/// `notReachable` (a player blocks the other), `rateLimited`. Cost: a game row, an event for each
/// player.
public struct RemindPlayers: Operation {
  public static let opcode = Opcode(.context, 0x4F)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [.fact(FetchBlocks.self, at: .caller), .fact(FetchBlocks.self, at: .each("players"))]
  }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var players: [PlayerID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("players", &players)
  }

  public var fault: Failure? {
    if (1..<TurnLimits.playersMax).contains(players.count), Set(players).count == players.count {
      return nil
    }
    return Failure(.invalidArgument, argument: "players", "Other players are named, each once.")
  }
}
