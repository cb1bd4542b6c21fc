public import Wire

/// Sent by a player: returns the devices that have a credential of the caller's, and the sessions
/// that are kept. One of these is resumed by a token that is still good.
///
/// Cost: a look at each.
public struct ListSessions: Operation {
  public static let opcode = Opcode(.request, 0x7B)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    /// The newest sign-in first.
    public var devices: [SignedInDevice] = []
    /// The one used last first.
    public var sessions: [OpenSessionInfo] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("devices", &devices)
      visit.field("sessions", &sessions)
    }
  }
}

/// A device that can sign in as the player. Times are milliseconds since 1970, and 0 where an
/// earlier version has not noted them.
public struct SignedInDevice: Message, Hashable {
  public var device = DeviceID()
  /// What it called itself; may be empty.
  public var name = ""
  /// The provider of the identity by which the device got its credential; empty where it was the
  /// player's first.
  public var provider = ""
  public var addedAt: Int64 = 0
  public var lastSignIn: Int64 = 0
  /// True for the device of this call.
  public var isOwn = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("device", &device)
    visit.field("name", &name)
    visit.field("provider", &provider)
    visit.field("addedAt", &addedAt)
    visit.field("lastSignIn", &lastSignIn)
    visit.field("isOwn", &isOwn)
  }
}

/// A session that is kept, for as long as the setting `session-idle-days` says.
public struct OpenSessionInfo: Message, Hashable {
  /// The client instance.
  public var session: UInt64 = 0
  public var device = DeviceID()
  public var game = ""
  public var began: Int64 = 0
  /// When it last opened or lost a connection, or was found connected; up to a minute less where it
  /// is connected.
  public var lastUsed: Int64 = 0
  public var isConnected = false
  /// True for the session of this call.
  public var isOwn = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("session", &session)
    visit.field("device", &device)
    visit.field("game", &game)
    visit.field("began", &began)
    visit.field("lastUsed", &lastUsed)
    visit.field("isConnected", &isConnected)
    visit.field("isOwn", &isOwn)
  }
}
