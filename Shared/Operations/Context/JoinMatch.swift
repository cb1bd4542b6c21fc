public import Wire

/// Sent by a participant of a context of two: takes the caller's seat in the context's match, and
/// starts the match if there is none. Clients send it again after every lost connection, after
/// every `conflict` of another call of the match, and every ten seconds or so while playing: if
/// nothing has changed it costs nothing.
///
/// The match's data goes to the connection that joined last. A connection with the same `seat`
/// value as before is the same client that came back. Another value is another client (a second
/// device, a new process), which takes the seat over: the connection before it gets a
/// `MatchSeatTaken`, and cannot come back to the match by its number. The other players get a
/// `MatchDataAcknowledged` each for what the caller had received from them, then a
/// `MatchPlayerChanged`.
///
/// Errors: `requiredArgument` (context, seat), `notFound` (no such context, or the caller is
/// not in it), `notAllowed` (invited but not entered, no connection, or no second player),
/// `matchEnded` (the match is over and `startsNew` is false, or the caller has left it), `conflict`
/// (another client took the seat after the caller was in match `number`), `invalidArgument`
/// (received), `limitReached` (matches of one connection). Cost: at most one match row, and for the
/// join that begins the match one context row and an effect for each player; pushes to the other
/// players and to a client that loses the seat.
public struct JoinMatch: Operation {
  public static let opcode = Opcode(.context, 0x30)
  public static var routing: Routing { .firstIdentifier }
  public static var isIdempotent: Bool { true }
  public var context = ContextID()
  /// A value that the client chooses at random, not 0, and keeps for as long as it remembers what
  /// it sent and received in this match.
  public var seat: UInt64 = 0
  /// The match to come back to; 0 takes the running one.
  public var number: UInt64 = 0
  /// What the caller has received from each other player in match `number`.
  public var received: [MatchCursor] = []
  /// Whether to start a new match if the last one has ended; `number` is 0 then. A running match is
  /// joined in any case.
  public var startsNew = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("seat", &seat)
    visit.field("number", &number)
    visit.field("received", &received)
    visit.field("startsNew", &startsNew)
  }

  public struct Reply: Message {
    /// The number of the match; they count from 1 in each context.
    public var number: UInt64 = 0
    /// Names this life of the match in the service's memory. The next match has another one, and so
    /// has this match after the service has started again.
    public var incarnation: UInt64 = 0
    /// Players who have not joined yet; the match begins at 0.
    public var expectedPlayerCount: UInt32 = 0
    /// The other players.
    public var players: [MatchPlayer] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("number", &number)
      visit.field("incarnation", &incarnation)
      visit.field("expectedPlayerCount", &expectedPlayerCount)
      visit.field("players", &players)
    }
  }
}

/// Another player of a match.
public struct MatchPlayer: Message, Hashable {
  public var player = PlayerID()
  /// The seat value of the client that has the player's seat; 0 while it is not known.
  public var seat: UInt64 = 0
  public var state = MatchPlayerState()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("seat", &seat)
    visit.field("state", &state)
  }

  public init(player: PlayerID, seat: UInt64, state: MatchPlayerState) {
    self.player = player
    self.seat = seat
    self.state = state
  }
}

/// How far the reliable data of one sender has arrived.
public struct MatchCursor: Message, Hashable {
  public var player = PlayerID()
  public var seat: UInt64 = 0
  public var through: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("seat", &seat)
    visit.field("through", &through)
  }

  public init(player: PlayerID, seat: UInt64, through: UInt64) {
    self.player = player
    self.seat = seat
    self.through = through
  }
}

/// Whether a player of a match can be reached.
public struct MatchPlayerState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The player has not joined yet.
  public static let absent = Self(rawValue: 0)
  public static let connected = Self(rawValue: 1)
  /// The player's connection was lost; the player may come back within the grace time.
  public static let disconnected = Self(rawValue: 2)
  public static let left = Self(rawValue: 3)

  public static let names = ["absent", "connected", "disconnected", "left"]
}
