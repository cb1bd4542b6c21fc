public import Wire

/// Sent by a player: returns the caller's friends, the open invitations in both directions, and the
/// players that the caller blocks, in the order of their ids.
///
/// Errors: none of its own. Cost: one look-up for each.
public struct ListFriends: Operation {
  public static let opcode = Opcode(.request, 0x17)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    public var friends: [Friend] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("friends", &friends)
    }
  }
}

/// A player in another player's list of friends, invitations and blocks.
public struct Friend: Message {
  public var player = PlayerID()
  public var state = FriendState()
  /// The name as the player last told it; `GetProfile` returns the current one.
  public var displayName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("state", &state)
    visit.field("displayName", &displayName)
  }
}

/// How the player who owns a list stands to another player.
public struct FriendState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  /// The list's owner has asked the other player to be friends.
  public static let invited = Self(rawValue: 1)
  /// The other player has asked the list's owner.
  public static let received = Self(rawValue: 2)
  /// The two are friends.
  public static let friends = Self(rawValue: 3)
  /// The list's owner blocks the other player.
  public static let blocked = Self(rawValue: 4)

  public static let names = ["none", "invited", "received", "friends", "blocked"]
}
