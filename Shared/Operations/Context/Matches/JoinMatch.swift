public import Wire

/// Sent by a participant of a context: takes the caller's seat in the context's match, and starts
/// the match if there is none. Clients send it again, with `number`, after every lost connection,
/// after every `conflict` of another call of the match, and every ten seconds or so while playing:
/// if nothing has changed it changes nothing and tells nobody.
///
/// Whoever starts the match says who plays, 2 to `ContextLimits.matchPlayersMax` players: the named
/// `players`; or, by `isRematch`, those of the last match; or the first `playerCount` of the
/// context who join; or, with none of these, all who are in the context, of a group all who are
/// active. They get a `MatchExpected` each. With `playerCount` nobody is told: `GetContext` says
/// `isMatchRunning`. In a match that was found, all who are in its context play, whoever starts it
/// and whomever it names.
///
/// The match's data goes to the connection that joined last. A connection with the same `seat`
/// value as before is the same client that came back. Another value is another client (a second
/// device, a new process), which takes the seat over: the connection before it gets a
/// `MatchSeatTaken`, and cannot come back to the match by its number. The other players get a
/// `MatchDataAcknowledged` each for what the caller had received from them, then a
/// `MatchPlayerChanged`.
///
/// In a group, players of whom one blocks the other are not put into a new match together: who is
/// not named is left out of it, and who comes to the other later has no seat: the reply says so,
/// and the others do not wait for the caller any more. Where both play, both stay.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (no such context, or the caller
/// is not in it), `requiredArgument` (seat), `invalidArgument` (received), `notAllowed` (invited
/// but not entered, then no connection), `limitReached` (matches of one connection, then of one
/// player), `matchEnded` (the caller has left the match, or it is over and `startsNew` is false),
/// `invalidArgument` (playerCount, or players), `notReachable` (players), `notAllowed` (no second
/// player), `requiredArgument` (playerCount: more are there than can play), `notAllowed` (the match
/// has no seat for the caller), `conflict` (another client took the seat after the caller was in
/// match `number`: the caller is out), `rateLimited` (`ContextLimits.matchConnectBurst` of the
/// seat, or the caller's budget of matches that are started). Cost: at most one match row, and for
/// the join that begins the match one context row and an effect for each player; one push for the
/// other players and one to a client that loses the seat. The first join in a group asks for facts
/// about the others.
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
  /// What the caller has received from each other player in match `number`, each named once.
  public var received: [MatchCursor] = []
  /// Whether to start a new match if the last one has ended; `number` is 0 then. A running match is
  /// joined in any case.
  public var startsNew = false
  /// Who plays besides the caller, when the call starts a match; empty for whoever joins.
  public var players: [PlayerID] = []
  /// How many play, the caller included, when the call starts a match in a group and names nobody:
  /// the match begins when so many have joined. 0 takes all who are in the context.
  public var playerCount: UInt32 = 0
  /// Whether a match that the call starts has the players of the last one, as far as they are in
  /// the context.
  public var isRematch = false
  /// How long a call of the caller takes to be answered, which decides who is host; 0 when that is
  /// not known. More than `ContextLimits.matchLatencyMillisecondsMax` counts as that.
  public var latencyMilliseconds: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("seat", &seat)
    visit.field("number", &number)
    visit.field("received", &received)
    visit.field("startsNew", &startsNew)
    visit.field("players", &players)
    visit.field("playerCount", &playerCount)
    visit.field("isRematch", &isRematch)
    visit.field("latencyMilliseconds", &latencyMilliseconds)
  }

  public struct Reply: Message {
    /// The number of the match; they count from 1 in each context.
    public var number: UInt64 = 0
    /// Names this life of the match in the service's memory. The next match has another one, and so
    /// has this match after the service has started again.
    public var incarnation: UInt64 = 0
    /// Players who have not joined yet; at least 1 until the match begins, and 0 then.
    public var expectedPlayerCount: UInt32 = 0
    /// The other players.
    public var players: [MatchPlayer] = []
    /// The caller's place in the match, from 0.
    public var place: UInt8 = 0
    /// The version of the roster that the reply tells of. It counts changes in this incarnation.
    public var roster: UInt32 = 0
    /// The version with which the caller's client took the seat: older data is for another client.
    public var since: UInt32 = 0
    /// Whether the match has begun: players who are added later are expected without stopping it.
    public var hasBegun = false
    /// The host, when one is chosen.
    public var host: PlayerID?
    /// Whether the match has no seat for the caller, who was expected and is not any more: one of
    /// those who have joined blocks the caller, or is blocked by the caller. Of the other fields
    /// only `number` is set then.
    public var hasNoSeat = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("number", &number)
      visit.field("incarnation", &incarnation)
      visit.field("expectedPlayerCount", &expectedPlayerCount)
      visit.field("players", &players)
      visit.field("place", &place)
      visit.field("roster", &roster)
      visit.field("since", &since)
      visit.field("hasBegun", &hasBegun)
      visit.field("host", &host)
      visit.field("hasNoSeat", &hasNoSeat)
    }
  }
}

/// Another player of a match.
public struct MatchPlayer: Message, Hashable {
  public var player = PlayerID()
  /// The seat value of the client that has the player's seat; 0 while it is not known.
  public var seat: UInt64 = 0
  public var state = MatchPlayerState()
  /// The player's place in the match, 0 to 15. It stays the player's while the player has a seat.
  public var place: UInt8 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("seat", &seat)
    visit.field("state", &state)
    visit.field("place", &place)
  }

  public init(player: PlayerID, seat: UInt64, state: MatchPlayerState, place: UInt8 = 0) {
    self.player = player
    self.seat = seat
    self.state = state
    self.place = place
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
