public import Wire

/// A fact about a player: whom the player blocks. No more than `FriendLimits.blockedMax`.
public struct FetchBlocks: FactQuestion {
  public static let opcode = Opcode(.request, 0x0E)
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  public struct Reply: Message {
    /// In the order of their ids.
    public var blocked: [PlayerID] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("blocked", &blocked)
    }
  }
}
