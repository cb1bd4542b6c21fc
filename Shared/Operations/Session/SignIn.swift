public import Wire

/// Begins a session of a player in one game with a device's credential, and subscribes this
/// connection to the player's event stream. Each call begins a session of its own: a lost reply
/// leaves one behind, which ends by itself, and the call is made again.
///
/// Errors: `alreadyExists` (the connection has a session), `invalidCredential` (unknown player or
/// device or wrong secret, which are not told apart), `notAuthenticated` (the player was erased:
/// forget the credential), `requiredArgument` (game; cursorEvent, of a cursor above 0; cursor, of a
/// cursorEvent), `invalidArgument` (game), `notFound` (game, which no operator has declared),
/// `limitReached` (game, after `SessionLimits.gamesPerPlayerMax` others), `banned`, `cursorLost`
/// (cursor), `rateLimited` per address.
public struct SignIn: Operation {
  public static let opcode = Opcode(.gateway, 0x03)
  public typealias Reply = SessionStarted
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  public static var changesSession: Bool { true }
  public var game = ""
  public var player = PlayerID()
  public var device = DeviceID()
  public var secret = Bytes()
  /// The sequence number after which to push events; nil takes the one that this
  /// device has acknowledged.
  public var cursor: UInt64?
  /// The event at `cursor`, by which a stream is noticed that has gone back to a backup since. Nil
  /// where `cursor` is 0.
  public var cursorEvent = EventID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("game", &game)
    visit.field("player", &player)
    visit.field("device", &device)
    visit.field("secret", &secret)
    visit.field("cursor", &cursor)
    visit.field("cursorEvent", &cursorEvent)
  }
}

/// A session as its client sees it.
public struct SessionStarted: Message {
  /// Resumes the session on any gateway, without the secret.
  public var token = Bytes()
  /// How long the token is valid from now; resuming returns a new one.
  public var expiresInSeconds: UInt32 = 0
  /// The client instance, which names this client process in idempotency keys.
  public var instance: UInt64 = 0
  public var player = PlayerID()
  public var displayName = ""
  /// The newest sequence number of the player's event stream.
  public var streamEnd: UInt64 = 0
  /// Every event up to this sequence number was acknowledged by this device.
  public var acknowledged: UInt64 = 0
  /// Every event up to this sequence number that is meant for the session was pushed, before this
  /// reply, or is not after the cursor. If it is below `streamEnd`, nothing newer is pushed until
  /// `ReadEvents` has answered with `more` = false: read on from here at once.
  public var replayedThrough: UInt64 = 0
  /// The event at `replayedThrough`, perhaps of another game; nil where that is 0.
  public var replayedEvent = EventID()
  /// What this deployment allows the client.
  public var limits = ClientLimits()
  /// The last event for this session, of its game or of none, that is not kept any more. A place
  /// below it has missed events, which were too old or too many to be kept for this device: the
  /// lists that events are about have to be read anew, behind `ReadSnapshot`.
  public var removedThrough: UInt64 = 0
  /// When the session began or was resumed, in milliseconds since 1970, by the clock that events'
  /// times are of: so a client knows how old the events are that it has missed.
  public var time: Int64 = 0
  /// The player's name besides the display name; empty where there is none.
  public var alias = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("token", &token)
    visit.field("expiresInSeconds", &expiresInSeconds)
    visit.field("instance", &instance)
    visit.field("player", &player)
    visit.field("displayName", &displayName)
    visit.field("streamEnd", &streamEnd)
    visit.field("acknowledged", &acknowledged)
    visit.field("replayedThrough", &replayedThrough)
    visit.field("replayedEvent", &replayedEvent)
    visit.field("limits", &limits)
    visit.field("removedThrough", &removedThrough)
    visit.field("time", &time)
    visit.field("alias", &alias)
  }
}
