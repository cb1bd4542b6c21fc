public import Wire

/// Sent by a player of a context: starts a turn-based game there, or a rematch. The caller takes
/// part at once and has the first turn, unless `next` says otherwise; the other players are
/// invited: a `TurnGameInvitation` comes to their streams. Who is invited answers with
/// `AnswerTurnGame`, and may do so when the turn comes.
///
/// One game is under way in a context at a time; the last few that ended can be read.
///
/// Errors, in this order: `invalidArgument` (players: also when `openSeats` makes them too many or
/// too few; options; state; hidden: too large, or not of the players), `requiredArgument`
/// (context), `notFound` (context), `notAllowed` (invited but not entered), `invalidArgument`
/// (players: not of the context, the caller is missing), `conflict` (a game is under way;
/// rematchOf: not the last game, or other players), `invalidArgument` (next: not of the players),
/// `notReachable` (players: two of them cannot be brought together), `rateLimited`
/// (`TurnLimits.newsMax`). Cost: a game row, a move, a state for each that is given, and two
/// effects for each player.
public struct StartTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x40)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [.fact(FetchBlocks.self, at: .caller), .fact(FetchBlocks.self, at: .each("players"))]
  }
  public var context = ContextID()
  /// The seats in the order of play, the caller's among them, each player once. With the open seats
  /// they are 2 to `TurnLimits.playersMax`.
  public var players: [PlayerID] = []
  /// Seats behind those, `matching`, that players of the context take with `AnswerTurnGame`.
  public var openSeats: UInt32 = 0
  public var options = TurnOptions()
  /// The public state at the start.
  public var state = Bytes()
  /// What each player keeps hidden at the start, dealt by the starter, who thus knows it. Later
  /// each player writes only the own hidden state.
  public var hidden: [TurnHiddenState] = []
  /// Who has the first turn, and who the ones after it; empty for the caller, then the order of
  /// play.
  public var next: [PlayerID] = []
  /// The number of the context's last game, which has ended; the players must be those that it had.
  /// 0 for any other game.
  public var rematchOf: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("players", &players)
    visit.field("openSeats", &openSeats)
    visit.field("options", &options)
    visit.field("state", &state)
    visit.field("hidden", &hidden)
    visit.field("next", &next)
    visit.field("rematchOf", &rematchOf)
  }

  public var fault: Failure? {
    let seats = players.count + Int(clamping: openSeats)
    guard (2...TurnLimits.playersMax).contains(seats), Set(players).count == players.count,
      !players.contains(where: \.isNil)
    else {
      return Failure(
        .invalidArgument, argument: "players",
        "A game has 2 to \(TurnLimits.playersMax) seats, and each player one.")
    }
    if let fault = options.fault { return fault }
    let size = hidden.reduce(state.array.count) { $0 + $1.hidden.array.count }
    if state.array.count > TurnLimits.stateSizeMax || size > TurnLimits.callSizeMax {
      return Failure(
        .invalidArgument, argument: "state",
        "The states have at most \(TurnLimits.callSizeMax) bytes together.")
    }
    let isHiddenRight = hidden.allSatisfy {
      $0.hidden.array.count <= TurnLimits.hiddenSizeMax && players.contains($0.player)
    }
    if isHiddenRight && Set(hidden.map(\.player)).count == hidden.count { return nil }
    return Failure(
      .invalidArgument, argument: "hidden",
      "Each player gets one hidden state of at most \(TurnLimits.hiddenSizeMax) bytes.")
  }
}
