public import Wire

/// A fact about a player: the player's friends. Friendship is mutual, and neither blocks the other.
public struct FetchFriends: FactQuestion {
  public static let opcode = Opcode(.request, 0x04)
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  public struct Reply: Message {
    public var friends: [PlayerID] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("friends", &friends)
    }
  }
}
