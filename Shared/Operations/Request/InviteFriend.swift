public import Wire

/// Sent by a player: asks `player` to be friends. If that player has asked the caller before, the
/// two are friends at once.
///
/// The reply is `invited` also for a player who is unknown, was erased or blocks the caller, so
/// that it does not tell. Repeating it is harmless.
///
/// Errors: `invalidArgument` (player: oneself), `conflict` (the caller blocks the player),
/// `limitReached` (`FriendLimits.friendsMax`), `rateLimited` (new invitations). Cost: one row and
/// one effect, and a look at each of the caller's edges.
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
