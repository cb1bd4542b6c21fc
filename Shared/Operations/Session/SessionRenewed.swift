public import Wire

/// Pushed by the gateway long before a session's token expires: brings a new token, so that a
/// client that stays connected can always resume.
public struct SessionRenewed: Event {
  public static let opcode = Opcode(.gateway, 0xE1)
  public var token = Bytes()
  public var expiresInSeconds: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("token", &token)
    visit.field("expiresInSeconds", &expiresInSeconds)
  }
}
