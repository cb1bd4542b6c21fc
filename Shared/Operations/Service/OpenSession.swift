public import Wire

/// Gateway to request service: begins or resumes a session (the game is the principal's) and
/// subscribes the caller's channel to the player's event stream and revocations.
///
/// Errors: `invalidCredential` (unknown, wrong, revoked; not told apart).
public struct OpenSession: Operation {
  public static let opcode = Opcode(.request, 0x02)
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var device = DeviceID()
  /// Present at sign-in, checked in constant time; absent when a signed token vouches.
  public var secretHash: Bytes?
  /// The instance of the session to resume; 0 at sign-in, which registers a new one.
  public var instance: UInt64 = 0
  /// Replay the event stream after this; nil takes the acknowledged cursor.
  public var cursor: UInt64?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("device", &device)
    visit.field("secretHash", &secretHash)
    visit.field("instance", &instance)
    visit.field("cursor", &cursor)
  }

  public struct Reply: Message {
    public var instance: UInt64 = 0
    public var displayName = ""
    public var streamEnd: UInt64 = 0
    public var acknowledged: UInt64 = 0
    /// Every event up to here was pushed; when it is below `streamEnd`, `ReadEvents` gives the rest.
    public var replayedThrough: UInt64 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("instance", &instance)
      visit.field("displayName", &displayName)
      visit.field("streamEnd", &streamEnd)
      visit.field("acknowledged", &acknowledged)
      visit.field("replayedThrough", &replayedThrough)
    }
  }
}

/// Gateway to request service: the session's token is worth nothing from now on.
public struct RevokeSession: Operation {
  public static let opcode = Opcode(.request, 0x03)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var instance: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("instance", &instance)
  }
}

/// Pushed to a connection whose session was revoked elsewhere; the gateway then closes it.
public struct SessionRevoked: Event {
  public static let opcode = Opcode(.request, 0xE1)
  public var text = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("text", &text)
  }
}
