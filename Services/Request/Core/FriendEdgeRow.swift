public import Domain
public import Wire

public struct FriendEdgeKey: Message, Hashable, Comparable {
  public var player = PlayerID()
  public var friend = PlayerID()
  public init() {}
  public init(player: PlayerID, friend: PlayerID) {
    self.player = player
    self.friend = friend
  }
  public static var isFrozen: Bool { true }
  public static func < (left: Self, right: Self) -> Bool {
    (left.player, left.friend) < (right.player, right.friend)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("friend", &friend)
  }
}

/// One player's own side of what is between it and another; see `FriendEdge`.
public struct FriendEdgeRow: Row {
  public static let tableID: UInt16 = 20
  public static let tableName = "friend_edge"
  public var key = FriendEdgeKey()
  public var mine: Int64 = 0
  public var theirs: Int64 = 0
  public var ended: Int64 = 0
  public var isBlocked = false
  /// The other's, as last heard.
  public var displayName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("mine", &mine)
    visit.field("theirs", &theirs)
    visit.field("ended", &ended)
    visit.field("isBlocked", &isBlocked)
    visit.field("displayName", &displayName)
  }

  var edge: FriendEdge {
    get { FriendEdge(mine: mine, theirs: theirs, ended: ended, isBlocked: isBlocked) }
    set {
      mine = newValue.mine
      theirs = newValue.theirs
      ended = newValue.ended
      isBlocked = newValue.isBlocked
    }
  }
}
