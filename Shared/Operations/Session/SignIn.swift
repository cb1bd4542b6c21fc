public import Wire

/// Begins a session of a player in one game with a device's credential, and subscribes this connection
/// to the player's event stream.
///
/// Errors: `invalidCredential` (unknown player, device or wrong secret, not told apart),
/// `requiredArgument` (game), `rateLimited`.
public struct SignIn: Operation {
  public static let opcode = Opcode(.gateway, 0x03)
  public typealias Reply = SessionStarted
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  public var game = ""
  public var player = PlayerID()
  public var device = DeviceID()
  public var secret = Bytes()
  /// Replay the event stream after this sequence number; nil takes the acknowledged one.
  public var cursor: UInt64?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("game", &game)
    visit.field("player", &player)
    visit.field("device", &device)
    visit.field("secret", &secret)
    visit.field("cursor", &cursor)
  }
}

/// A session as its client sees it.
public struct SessionStarted: Message {
  /// Begins the session again on any gateway, without the secret.
  public var token = Bytes()
  /// Validity of the token from now; resuming gives a new one.
  public var expiresInSeconds: UInt32 = 0
  /// Names this client process in idempotency keys.
  public var instance: UInt64 = 0
  public var player = PlayerID()
  public var displayName = ""
  /// The newest sequence number of the player's event stream.
  public var streamEnd: UInt64 = 0
  /// The stream's cursor: everything up to it was acknowledged.
  public var acknowledged: UInt64 = 0
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
  }
}
