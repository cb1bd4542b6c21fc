public import Wire

/// What another player did about being friends; that player is named in it.
public protocol FriendEvent: Event {
  var player: PlayerID { get set }
  var displayName: String { get set }
}

extension FriendEvent {
  public init(_ player: PlayerID, _ displayName: String) {
    self.init()
    self.player = player
    self.displayName = displayName
  }

  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("displayName", &displayName)
  }
}

/// In a player's stream: another player asks to be friends.
public struct FriendInvitation: FriendEvent {
  public static let opcode = Opcode(.request, 0xA0)
  public static var way: EventWay { .stream }
  public var player = PlayerID()
  public var displayName = ""
  public init() {}
}

/// In a player's stream: the player's invitation was accepted, or it crossed with one from the
/// other player, which makes the two friends as well.
public struct FriendAccepted: FriendEvent {
  public static let opcode = Opcode(.request, 0xA1)
  public static var way: EventWay { .stream }
  public var player = PlayerID()
  public var displayName = ""
  public init() {}
}
