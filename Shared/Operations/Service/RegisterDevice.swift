public import Wire

/// Sent by the gateway to the request service: makes a new player with a first device. Repeating it
/// with the same hash is harmless until the device has signed in; then the error is
/// `alreadyExists`.
public struct RegisterDevice: Operation {
  public static let opcode = Opcode(.request, 0x01)
  public typealias Reply = Empty
  public static var access: Access { .gateway }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var device = DeviceID()
  public var secretHash = KeyedHash()
  public var displayName = ""
  public var deviceName = ""
  /// The hashes under the other keys that the gateway knows, one of which is stored if another
  /// gateway has made the first attempt.
  public var otherHashes: [KeyedHash] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("device", &device)
    visit.field("secretHash", &secretHash)
    visit.field("displayName", &displayName)
    visit.field("deviceName", &deviceName)
    visit.field("otherHashes", &otherHashes)
  }
}
