public import Wire

/// Sent by a player: returns the caller's current context in this game, on whichever device the
/// caller entered it. The reply may be a moment behind create, switch and leave.
///
/// Changes nothing; one look in memory.
public struct CurrentContext: Operation {
  public static let opcode = Opcode(.context, 0x16)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    public var context: ContextID?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("context", &context)
    }
  }
}
