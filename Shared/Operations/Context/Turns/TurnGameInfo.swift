public import Wire

/// A turn-based game as those see it who may know of it. It has nothing of what players sealed,
/// keep hidden or say to each other in exchanges.
public struct TurnGameInfo: Message, Hashable {
  public var context = ContextID()
  /// Games of a context count from 1.
  public var number: UInt32 = 0
  /// Goes up with each change of the public state, of the turn or of who plays. There is one public
  /// state for each version.
  public var version: UInt64 = 0
  public var phase = TurnPhase()
  public var options = TurnOptions()
  /// In the order of play.
  public var seats: [TurnSeat] = []
  /// Who has the turn, and who gets it after that, as far as it is decided. Empty where all play at
  /// once (sealed rounds), and when the game has ended.
  public var next: [PlayerID] = []
  /// The open round of sealed moves, from 1; 0 in other games.
  public var round: UInt32 = 0
  public var moveCount: UInt32 = 0
  /// When the turn or the round began, in milliseconds since 1970; in a pause, nothing that counts.
  public var turnStartedAt: Int64 = 0
  /// When the time for it is up, in milliseconds since 1970; 0 for no such time.
  public var dueAt: Int64 = 0
  public var startedAt: Int64 = 0
  /// 0 while the game is under way.
  public var endedAt: Int64 = 0
  public var proposal: TurnProposal?
  /// Those that the reader is part of, and for whoever has the turn also the complete ones; there
  /// is no such player in games with sealed rounds.
  public var exchanges: [TurnExchange] = []
  public var spectatorCount: UInt32 = 0
  /// Whether the reader has conditional moves that wait.
  public var hasConditionalMoves = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("phase", &phase)
    visit.field("options", &options)
    visit.field("seats", &seats)
    visit.field("next", &next)
    visit.field("round", &round)
    visit.field("moveCount", &moveCount)
    visit.field("turnStartedAt", &turnStartedAt)
    visit.field("dueAt", &dueAt)
    visit.field("startedAt", &startedAt)
    visit.field("endedAt", &endedAt)
    visit.field("proposal", &proposal)
    visit.field("exchanges", &exchanges)
    visit.field("spectatorCount", &spectatorCount)
    visit.field("hasConditionalMoves", &hasConditionalMoves)
  }
}

/// A seat of a turn-based game.
public struct TurnSeat: Message, Hashable {
  /// Nil while the seat is `matching`.
  public var player = PlayerID()
  public var state = TurnSeatState()
  public var outcome = TurnOutcome()
  /// What was left on the player's clock when the turn began; 0 in games without such clocks.
  public var clockMilliseconds: Int64 = 0
  /// Whether the player has sealed a move for the open round.
  public var hasMoved = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("state", &state)
    visit.field("outcome", &outcome)
    visit.field("clockMilliseconds", &clockMilliseconds)
    visit.field("hasMoved", &hasMoved)
  }
}

/// What a player proposes to the others, and who has agreed.
public struct TurnProposal: Message, Hashable {
  /// Proposals of a game count from 1.
  public var id: UInt32 = 0
  public var kind = TurnProposalKind()
  public var player = PlayerID()
  /// Of an undo: the number of moves that remain.
  public var move: UInt32 = 0
  /// The proposing player is the first.
  public var agreed: [PlayerID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("id", &id)
    visit.field("kind", &kind)
    visit.field("player", &player)
    visit.field("move", &move)
    visit.field("agreed", &agreed)
  }
}

/// An exchange between players, beside the turns.
public struct TurnExchange: Message, Hashable {
  public var id: UInt32 = 0
  /// Who has opened it.
  public var player = PlayerID()
  public var receivers: [PlayerID] = []
  public var answered: [PlayerID] = []
  /// Whether all have answered, or its time is up: the player who has the turn resolves it.
  public var isComplete = false
  /// When its time is up, in milliseconds since 1970.
  public var dueAt: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("id", &id)
    visit.field("player", &player)
    visit.field("receivers", &receivers)
    visit.field("answered", &answered)
    visit.field("isComplete", &isComplete)
    visit.field("dueAt", &dueAt)
  }
}

/// A turn-based game with its state, for one reader. It is the `detail` of a `conflict`.
public struct TurnGameView: Message, Hashable {
  public var info = TurnGameInfo()
  /// The public state; nil for a reader who has no seat and does not watch.
  public var state: Bytes?
  /// The reader's own hidden state; nil where there is none.
  public var hidden: Bytes?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("info", &info)
    visit.field("state", &state)
    visit.field("hidden", &hidden)
  }
}
