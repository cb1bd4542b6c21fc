public import Wire

/// An effect of an invitation to a match on a recipient's key: has the `MatchInvitation` told,
/// unless it is over by now, the player blocks the inviter, or has been invited more often than the
/// recipient's budgets allow: one of each inviter, one of friends, one of all others. What is over
/// them is answered by a `MatchInviteRefused`.
///
/// Cost: two rows, one effect.
public struct OfferMatchInvite: Operation {
  public static let opcode = Opcode(.context, 0x8B)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var invitation = MatchInvitation()
  /// Whether the inviter is a friend of the player.
  public var isFriend = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("invitation", &invitation)
    visit.field("isFriend", &isFriend)
  }
}

/// An effect of a recipient's key on the inviter's: the recipient's budget is used up, and it was
/// not told of the invitation. The inviter is not told so: as with a block, there is no answer.
///
/// Cost: one row.
public struct MatchInviteRefused: Operation {
  public static let opcode = Opcode(.context, 0x8C)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var inviter = PlayerID()
  public var invite = MatchInviteID()
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("inviter", &inviter)
    visit.field("invite", &invite)
    visit.field("player", &player)
  }
}
