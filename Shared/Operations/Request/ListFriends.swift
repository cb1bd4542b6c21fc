public import Wire

/// Sent by a player: returns the caller's friends, the open invitations in both directions, and the
/// players that the caller blocks, in the order of their ids.
///
/// Errors: `invalidArgument` (limit above `FriendLimits.pageMax`; cursor that is not of this list).
/// Cost: a look at each player of the page; with a `limit` also a fact from each friend of it, side
/// by side.
public struct ListFriends: Operation {
  public static let opcode = Opcode(.request, 0x17)
  public static var isReadOnly: Bool { true }
  /// Where the page begins: the last reply's cursor, or empty for the start.
  public var cursor = ""
  /// How many; 0 for up to `FriendLimits.replyMax`, of whom nobody is asked for a profile.
  public var limit: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public var fault: Failure? {
    if limit <= FriendLimits.pageMax { return nil }
    return Failure(
      .invalidArgument, argument: "limit", "A page holds up to \(FriendLimits.pageMax) players.")
  }

  public struct Reply: Message {
    public var friends: [Friend] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("friends", &friends)
      visit.field("cursor", &cursor)
    }
  }
}

extension ListFriends {
  /// Reads the whole list, one call for each page.
  ///
  /// - Parameter limit: of each call.
  public static func all<Problem: Error>(
    limit: Int = 0, _ call: (ListFriends) async throws(Problem) -> Reply
  ) async throws(Problem) -> [Friend] {
    var (list, friends) = (ListFriends(), [Friend]())
    list.limit = UInt32(limit)
    repeat {
      let reply = try await call(list)
      friends += reply.friends
      list.cursor = reply.cursor
    } while !list.cursor.isEmpty
    return friends
  }
}

/// A player in another player's list of friends, invitations and blocks.
public struct Friend: Message {
  public var player = PlayerID()
  public var state = FriendState()
  /// The name as the player last told it, and in a page with a `limit` that of now, of a friend.
  public var displayName = ""
  /// Of a friend, in a page with a `limit`; the same goes for what follows.
  public var presence = Presence()
  public var alias = ""
  /// Nil where there is none; see `Profile`.
  public var smallPhoto = PhotoID()
  public var normalPhoto = PhotoID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("state", &state)
    visit.field("displayName", &displayName)
    visit.field("presence", &presence)
    visit.field("alias", &alias)
    visit.field("smallPhoto", &smallPhoto)
    visit.field("normalPhoto", &normalPhoto)
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
