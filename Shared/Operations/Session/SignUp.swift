public import Wire

/// Makes a new player with one device. The server makes the device's secret: 256 random bits that
/// it tells once and stores only as a keyed hash.
///
/// Errors: `requiredArgument` (attempt), `invalidArgument` (displayName, see `ProfileRules`;
/// deviceName), `alreadyExists` once the device has signed in, after its player was erased, or
/// where the connection has a session, `rateLimited` per address.
public struct SignUp: Operation {
  public static let opcode = Opcode(.gateway, 0x02)
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  /// A value that the client chooses at random. Repeating the call with the same value, before the
  /// first sign-in, returns the same credential.
  public var attempt = RoutingKey()
  public var displayName = ""
  /// What the player's list of devices calls this one; may be empty.
  public var deviceName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("attempt", &attempt)
    visit.field("displayName", &displayName)
    visit.field("deviceName", &deviceName)
  }

  /// What the client must keep to sign in.
  public struct Reply: Message {
    public var player = PlayerID()
    public var device = DeviceID()
    /// The device's secret, 32 bytes.
    public var secret = Bytes()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("player", &player)
      visit.field("device", &device)
      visit.field("secret", &secret)
    }
  }
}
