public import Wire

/// A hint to a player on all devices: the player is in a context no more, or invited to it no more.
/// The player has left it on one of them, was removed, or it is closed. A client that takes it for
/// the current one reads it again.
public struct ContextLeft: Event {
  public static let opcode = Opcode(.context, 0xC0)
  public static var way: EventWay { .hint }
  public var context = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
  }
}
