public import Wire

/// A fact about a player: the player's friends. Friendship is mutual, and neither blocks the other.
public struct FetchFriends: Operation {
  public static let opcode = Opcode(.request, 0x04)
  public static var access: Access { .service }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstIdentifier }
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
