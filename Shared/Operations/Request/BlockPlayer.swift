public import Wire

/// Sent by a player: blocks `player`. It ends a friendship on both sides, and nothing that the
/// blocked player sends reaches the caller any more. The blocked player is not told: for them it
/// looks as if the caller did not exist. Repeating it is harmless.
///
/// Errors: `invalidArgument` (player: oneself), `limitReached` (`FriendLimits.blockedMax`). Cost:
/// one row and at most one effect, and a look at each of the caller's edges.
public struct BlockPlayer: Operation {
  public static let opcode = Opcode(.request, 0x15)
  public typealias Reply = Empty
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
