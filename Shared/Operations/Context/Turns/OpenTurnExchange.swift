public import Wire

/// Sent by an active player, in turn or out of it: asks other players of the game something, such
/// as a trade. They get a `TurnExchangeChanged`, answer with `AnswerTurnExchange`, and read it with
/// `ReadTurnExchange`. When all have answered, or its time is up, it is complete, and the player
/// who has the turn brings its result into the state (`SaveTurnState`, resolved); with sealed
/// rounds one of its own players does. One that is not resolved goes after as long again.
///
/// Errors, in this order: `invalidArgument` (players, payload, lifetimeMilliseconds),
/// `requiredArgument` (context), `notFound` (context; number: no such game), `notAllowed` (no seat,
/// or not active), `matchEnded`, `conflict` (paused or not copied yet), `invalidArgument` (players:
/// not other players in the game), `limitReached` (exchanges of the game or the caller),
/// `notReachable` (players: two of them or the caller cannot be brought together), `rateLimited`
/// (`TurnLimits.newsMax`). Cost: two rows, a timer, an event for each receiver.
public struct OpenTurnExchange: Operation {
  public static let opcode = Opcode(.context, 0x4B)
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [.fact(FetchBlocks.self, at: .caller), .fact(FetchBlocks.self, at: .each("players"))]
  }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var players: [PlayerID] = []
  /// At most `TurnLimits.exchangeSizeMax` bytes.
  public var payload = Bytes()
  public var lifetimeMilliseconds: Int64 = TurnLimits.exchangeMilliseconds
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("players", &players)
    visit.field("payload", &payload)
    visit.field("lifetimeMilliseconds", &lifetimeMilliseconds)
  }

  public var fault: Failure? {
    guard (1..<TurnLimits.playersMax).contains(players.count),
      Set(players).count == players.count
    else {
      return Failure(.invalidArgument, argument: "players", "Other players are named, each once.")
    }
    if payload.array.count > TurnLimits.exchangeSizeMax {
      return Failure(
        .invalidArgument, argument: "payload",
        "What is said has at most \(TurnLimits.exchangeSizeMax) bytes.")
    }
    let times = TurnLimits.clockMillisecondsMin...TurnLimits.exchangeMillisecondsMax
    if times.contains(lifetimeMilliseconds) { return nil }
    return Failure(
      .invalidArgument, argument: "lifetimeMilliseconds",
      "An exchange is open for \(times.lowerBound) to \(times.upperBound) milliseconds.")
  }

  public struct Reply: Message {
    public var exchange: UInt32 = 0
    public var info = TurnGameInfo()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("exchange", &exchange)
      visit.field("info", &info)
    }
  }
}
