public import Wire

/// Sent by a player: ends another session of the caller's, or takes its credential from another
/// device and ends the sessions of that. Their connections get `SessionRevoked` and are closed.
/// The own session is ended by `SignOut`.
///
/// Errors: `requiredArgument` (session, where no device is named either), `notFound` (session;
/// device), `invalidArgument` (session; device: the caller's own). Cost: a row for each session.
public struct EndSession: Operation {
  public static let opcode = Opcode(.request, 0x7C)
  public typealias Reply = Empty
  /// As `ListSessions` has it; 0 where a device is named.
  public var session: UInt64 = 0
  public var device = DeviceID()
  public init() {}
  public init(session: UInt64) { self.session = session }
  public init(device: DeviceID) { self.device = device }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("session", &session)
    visit.field("device", &device)
  }

  public var fault: Failure? {
    if session != 0 || !device.isNil { return nil }
    return Failure(
      .requiredArgument, argument: "session", "A session or a device has to be named.")
  }
}

/// Sent by a player: takes their credentials from all devices but the caller's, and ends all
/// sessions but the caller's. Linked identities stay: whoever has one of these can sign in again.
///
/// Cost: a row for each device and session.
public struct SignOutEverywhere: Operation {
  public static let opcode = Opcode(.request, 0x7D)
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    public var devices: UInt32 = 0
    public var sessions: UInt32 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("devices", &devices)
      visit.field("sessions", &sessions)
    }
  }
}

/// Why a session, or a connection, was ended.
public struct SessionEnd: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  /// The player signed out of the session, on another connection.
  public static let signedOut = Self(rawValue: 1)
  /// Newer connections of the player have taken the place of this one.
  public static let newerConnections = Self(rawValue: 2)
  /// Newer sessions of the player have taken the place of this one.
  public static let newerSessions = Self(rawValue: 3)
  /// The player ended the session from another one.
  public static let endedByPlayer = Self(rawValue: 4)
  /// The device has no credential of the player's any more.
  public static let deviceRemoved = Self(rawValue: 5)
  /// The player is banned.
  public static let banned = Self(rawValue: 6)
  /// The player was erased.
  public static let erased = Self(rawValue: 7)

  public static let names = [
    "unspecified", "signedOut", "newerConnections", "newerSessions", "endedByPlayer",
    "deviceRemoved", "banned", "erased",
  ]
}
