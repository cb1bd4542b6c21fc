public import Wire

/// In the stream of a player whom another asks to be friends.
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

/// In the stream of a player whose invitation was accepted, or crossed with one of the other.
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
