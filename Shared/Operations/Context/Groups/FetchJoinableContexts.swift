public import Wire

/// A fact about a player, in the caller's game: groups that the player is active in and that
/// anybody may join, the most recently active first; at most four, found among the player's first
/// 50 contexts.
public struct FetchJoinableContexts: FactQuestion {
  public static let opcode = Opcode(.context, 0x27)
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  /// Without the players.
  public struct Reply: Message {
    public var contexts: [ContextInfo] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("contexts", &contexts)
    }
  }
}
