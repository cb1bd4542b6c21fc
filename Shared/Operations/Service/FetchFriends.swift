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
    /// When this was so, by the clock that the player's own blocks are dated by; milliseconds since
    /// 1970.
    public var time: Int64 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("friends", &friends)
      visit.field("time", &time)
    }
  }
}
