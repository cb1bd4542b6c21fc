public import Wire

/// How far a turn-based game is.
public struct TurnPhase: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A fork whose moves are still being copied.
  public static let preparing = Self(rawValue: 0)
  public static let active = Self(rawValue: 1)
  public static let paused = Self(rawValue: 2)
  public static let ended = Self(rawValue: 3)

  public static let names = ["preparing", "active", "paused", "ended"]
}

/// Whether a player takes part in a turn-based game.
public struct TurnSeatState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let unknown = Self(rawValue: 0)
  /// The player may take part and has not answered.
  public static let invited = Self(rawValue: 1)
  public static let declined = Self(rawValue: 2)
  /// Nobody has the seat: any player of the context may take it.
  public static let matching = Self(rawValue: 3)
  public static let active = Self(rawValue: 4)
  /// The player has an outcome, or the game has ended.
  public static let done = Self(rawValue: 5)

  public static let names = ["unknown", "invited", "declined", "matching", "active", "done"]
}

/// How a game ended for a player. Values from 128 on are the game's own.
public struct TurnOutcome: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  public static let quit = Self(rawValue: 1)
  public static let won = Self(rawValue: 2)
  public static let lost = Self(rawValue: 3)
  public static let tied = Self(rawValue: 4)
  public static let timeExpired = Self(rawValue: 5)
  public static let first = Self(rawValue: 6)
  public static let second = Self(rawValue: 7)
  public static let third = Self(rawValue: 8)
  public static let fourth = Self(rawValue: 9)

  public static let names = [
    "none", "quit", "won", "lost", "tied", "timeExpired", "first", "second", "third", "fourth",
  ]
}

/// How a move came about.
public struct TurnMoveKind: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Not a move: the position at the start, which has index 0.
  public static let start = Self(rawValue: 0)
  public static let plain = Self(rawValue: 1)
  /// Revealed with all others of its round.
  public static let sealed = Self(rawValue: 2)
  /// Played by the service for a player who had said so before.
  public static let conditional = Self(rawValue: 3)

  public static let names = ["start", "plain", "sealed", "conditional"]
}

/// What can be proposed in a game.
public struct TurnProposalKind: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let undo = Self(rawValue: 0)
  public static let pause = Self(rawValue: 1)

  public static let names = ["undo", "pause"]
}

/// What became of an exchange.
public struct TurnExchangeState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let open = Self(rawValue: 0)
  public static let answered = Self(rawValue: 1)
  public static let complete = Self(rawValue: 2)
  public static let cancelled = Self(rawValue: 3)
  public static let resolved = Self(rawValue: 4)
  public static let expired = Self(rawValue: 5)

  public static let names = ["open", "answered", "complete", "cancelled", "resolved", "expired"]
}

/// The rules of a game that its starter chooses.
public struct TurnOptions: Message, Hashable {
  /// After so long the turn passes to the next player, or the round is revealed without those who
  /// have not moved. When everyone has timed out in a row, no turn ends by itself until somebody
  /// moves.
  public var turnTimeoutMilliseconds: Int64 = TurnLimits.turnTimeoutMilliseconds
  /// A player who takes longer for one move is out, with `timeExpired`; 0 for no such clock.
  public var moveClockMilliseconds: Int64 = 0
  /// A player who takes longer for all moves together is out, with `timeExpired`; 0 for no such
  /// clock.
  public var playerClockMilliseconds: Int64 = 0
  /// All play at once, each round with a `SealMove`, and all moves of a round are revealed
  /// together. Such a game has no undo.
  public var hasSealedRounds = false
  public var allowsUndo = true
  public var allowsSpectators = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("turnTimeoutMilliseconds", &turnTimeoutMilliseconds)
    visit.field("moveClockMilliseconds", &moveClockMilliseconds)
    visit.field("playerClockMilliseconds", &playerClockMilliseconds)
    visit.field("hasSealedRounds", &hasSealedRounds)
    visit.field("allowsUndo", &allowsUndo)
    visit.field("allowsSpectators", &allowsSpectators)
  }
}

/// A player's outcome.
public struct TurnSeatOutcome: Message, Hashable {
  public var player = PlayerID()
  public var outcome = TurnOutcome()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("outcome", &outcome)
  }
}

/// What is dealt to a player at the start.
public struct TurnHiddenState: Message, Hashable {
  public var player = PlayerID()
  /// At most `TurnLimits.hiddenSizeMax` bytes.
  public var hidden = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("hidden", &hidden)
  }
}
