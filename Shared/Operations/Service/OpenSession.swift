public import Wire

/// Sent by the gateway to the request service: begins or resumes a session in the principal's game,
/// and subscribes the caller's channel to the player's event stream and to revocations.
///
/// Errors: `invalidCredential` when the player or device is unknown, the secret is wrong or the
/// session was revoked, which are not told apart; `banned`; `cursorLost` (cursor), and nothing is
/// opened then.
public struct OpenSession: Operation {
  public static let opcode = Opcode(.request, 0x02)
  public static var access: Access { .gateway }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var device = DeviceID()
  /// The hashes of the device's secret at sign-in, one under each key that the gateway knows. Empty
  /// when the gateway has checked a signed token instead.
  public var secretHashes: [KeyedHash] = []
  /// The client instance of the session to resume; 0 at sign-in, which registers a new one.
  public var instance: UInt64 = 0
  /// The sequence number after which to push events; nil takes the one that the
  /// device has acknowledged.
  public var cursor: UInt64?
  /// The event at `cursor`; nil for a number alone, which is only compared with the stream's end.
  public var cursorEvent = EventID()
  /// The number of the gateway's current key: where the stored hash has an older one, the hash
  /// under the current key takes its place. 0 from gateways of earlier versions.
  public var currentKeyNumber: UInt16 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("device", &device)
    visit.field("secretHashes", &secretHashes)
    visit.field("instance", &instance)
    visit.field("cursor", &cursor)
    visit.field("cursorEvent", &cursorEvent)
    visit.field("currentKeyNumber", &currentKeyNumber)
  }

  public struct Reply: Message {
    public var instance: UInt64 = 0
    public var displayName = ""
    public var streamEnd: UInt64 = 0
    public var acknowledged: UInt64 = 0
    /// Every event up to here was pushed. If it is below `streamEnd`, nothing newer is pushed until
    /// `ReadEvents` on the same channel has returned the rest.
    public var replayedThrough: UInt64 = 0
    /// The event at `replayedThrough`; nil where that is 0.
    public var replayedEvent = EventID()
    /// See `SessionStarted`.
    public var removedThrough: UInt64 = 0
    public var time: Int64 = 0
    public var alias = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("instance", &instance)
      visit.field("displayName", &displayName)
      visit.field("streamEnd", &streamEnd)
      visit.field("acknowledged", &acknowledged)
      visit.field("replayedThrough", &replayedThrough)
      visit.field("replayedEvent", &replayedEvent)
      visit.field("removedThrough", &removedThrough)
      visit.field("time", &time)
      visit.field("alias", &alias)
    }
  }
}

/// Sent by the gateway to the request service: revokes the session, whose token is not valid from
/// now on.
public struct RevokeSession: Operation {
  public static let opcode = Opcode(.request, 0x03)
  public typealias Reply = Empty
  public static var access: Access { .gateway }
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

/// Pushed to a connection whose session was revoked elsewhere, or that newer connections of the
/// player have taken the place of; the gateway then closes it.
public struct SessionRevoked: Event {
  public static let opcode = Opcode(.request, 0xE1)
  public var text = ""
  /// True when the session itself lives on, and only this connection was given up: its token is
  /// still valid. Resume after a pause, for every new connection takes the place of an older one.
  public var canResume = false
  public var reason = SessionEnd.unspecified
  /// With the reason `banned`.
  public var ban: Ban?
  public init() {}
  public init(_ reason: SessionEnd, _ text: String) {
    self.reason = reason
    self.text = text
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("text", &text)
    visit.field("canResume", &canResume)
    visit.field("reason", &reason)
    visit.field("ban", &ban)
  }
}
