public import Wire

/// An effect of the request service: tells `player` how `friend` now stands to them. The two stamps
/// only grow, and each side keeps the greater of what it has and what it is told. So both sides
/// agree in the end, in whatever order their effects cross. See `FriendEdge` in the request core.
///
/// Errors: none; the effect is dropped if the player does not exist. Cost: one row and at most one
/// event.
public struct FriendEdgeChanged: Operation {
  public static let opcode = Opcode(.request, 0x20)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var friend = PlayerID()
  /// When `friend` last wished to be friends; 0 for never.
  public var wished: Int64 = 0
  /// When either of the two last ended or refused a friendship, as far as `friend` knows.
  public var ended: Int64 = 0
  public var displayName = ""
  /// Whether an operator has brought the friendship from another system: `player` is a friend from
  /// `wished` on without an answer, and hears of it by no event.
  public var isImported = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("friend", &friend)
    visit.field("wished", &wished)
    visit.field("ended", &ended)
    visit.field("displayName", &displayName)
    visit.field("isImported", &isImported)
  }
}
