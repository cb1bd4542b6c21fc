public import Wire

/// Sent by a player: accepts or declines the invitation of `player`, who is told of an acceptance
/// only.
///
/// Errors: `notFound` (no such invitation), `limitReached` (`FriendLimits.friendsMax`). Cost: one
/// row and one effect, and a look at each of the caller's edges (friends, invitations and blocks).
public struct AnswerFriend: Operation {
  public static let opcode = Opcode(.request, 0x13)
  public var player = PlayerID()
  public var accept = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("accept", &accept)
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
