import Domain
import Wire

struct FriendEdgeKey: RowKey, Comparable {
  var player = PlayerID()
  var friend = PlayerID()
  static func < (left: Self, right: Self) -> Bool {
    (left.player, left.friend) < (right.player, right.friend)
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("friend", &friend)
  }
}

/// One player's edge to another: see `FriendEdge`.
struct FriendEdgeRow: Row {
  static let tableID: UInt16 = 20
  static let tableName = "friend_edge"
  var key = FriendEdgeKey()
  var edge = FriendEdge()
  /// The other player's, as last heard.
  var displayName = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("mine", &edge.mine)
    visit.field("theirs", &edge.theirs)
    visit.field("ended", &edge.ended)
    visit.field("isBlocked", &edge.isBlocked)
    visit.field("displayName", &displayName)
  }

  var mine: Int64 { edge.mine }
  var ended: Int64 { edge.ended }
}
