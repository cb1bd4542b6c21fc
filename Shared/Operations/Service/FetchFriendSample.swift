public import Wire

/// A fact about a player, for a call of one of the player's friends: some of the player's other
/// friends, no more than `FriendLimits.sampleMax`, so that it costs the same of whoever has 5,000.
/// Nobody but a friend is told any.
public struct FetchFriendSample: FactQuestion {
  public static let opcode = Opcode(.request, 0x8A)
  public var player = PlayerID()
  public init() {}
  public init(of player: PlayerID) { self.player = player }
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
