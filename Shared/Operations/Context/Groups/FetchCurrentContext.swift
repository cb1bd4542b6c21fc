public import Wire

/// A fact about a player, in the caller's game: the player's current context. It may be a moment
/// behind create, switch and leave.
public struct FetchCurrentContext: FactQuestion {
  public static let opcode = Opcode(.context, 0x25)
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  /// Nil for a player who is in no context.
  public struct Reply: Message {
    public var context: ContextID?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("context", &context)
    }
  }
}
