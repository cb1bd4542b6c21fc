public import Wire

/// Returns the same bytes. Anyone may call it, also before sign-in. It costs one round trip to the
/// gateway, which answers it by itself.
public struct Echo: Operation {
  public static let opcode = Opcode(.gateway, 0x01)
  public static var access: Access { [.anonymous, .player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public var payload = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("payload", &payload)
  }

  public struct Reply: Message {
    public var payload = Bytes()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("payload", &payload)
    }
  }
}
