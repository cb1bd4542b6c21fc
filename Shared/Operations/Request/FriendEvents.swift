public import Wire

/// In a player's stream: another player asks to be friends.
public struct FriendInvitation: Event {
  public static let opcode = Opcode(.request, 0xA0)
  public var player = PlayerID()
  public var displayName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("displayName", &displayName)
  }
}

/// In a player's stream: the player's invitation was accepted, or it crossed with one from the
/// other player, which makes the two friends as well.
public struct FriendAccepted: Event {
  public static let opcode = Opcode(.request, 0xA1)
  public var player = PlayerID()
  public var displayName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("displayName", &displayName)
  }
}
