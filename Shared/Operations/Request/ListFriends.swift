public import Wire

/// The caller's friends, open invitations in both directions, and the players it blocks, in the
/// order of their ids.
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

/// One player in another's list.
public struct Friend: Message {
  public var player = PlayerID()
  public var state = FriendState()
  /// As last heard from the player; `GetProfile` has the current one.
  public var displayName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("state", &state)
    visit.field("displayName", &displayName)
  }
}

/// How one player stands to another, as the first one sees it.
public struct FriendState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  /// The one whose list it is has asked.
  public static let invited = Self(rawValue: 1)
  /// The other has asked.
  public static let received = Self(rawValue: 2)
  /// Mutual.
  public static let friends = Self(rawValue: 3)
  /// The one whose list it is lets nothing of the other through.
  public static let blocked = Self(rawValue: 4)

  public static let names = ["none", "invited", "received", "friends", "blocked"]
}
