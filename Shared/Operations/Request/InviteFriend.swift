public import Wire

/// Asks `player` to be friends. A player who has asked the caller before is a friend at once.
///
/// The reply is the same for a player who is unknown, erased or blocks the caller: `invited`.
/// Repeating it is harmless.
/// Errors: `invalidArgument` (player: oneself), `conflict` (the caller blocks the player),
/// `limitReached` (`FriendLimits.friendsMax`), `rateLimited`. Cost: one row and one effect, and a
/// look at each of the caller's edges.
public struct InviteFriend: Operation {
  public static let opcode = Opcode(.request, 0x12)
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  public struct Reply: Message {
    public var state = FriendState()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("state", &state)
    }
  }
}
