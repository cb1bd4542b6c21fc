public import Wire

/// An effect of an invitation to a match on a recipient's key: has the `MatchInvitation` told,
/// unless the player blocks the inviter, or has been invited by whomever more often than the
/// recipient's budget allows. Then the invitation is answered by a `MatchInviteRefused`.
///
/// Cost: a row, one effect.
public struct OfferMatchInvite: Operation {
  public static let opcode = Opcode(.context, 0x8B)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var invitation = MatchInvitation()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("invitation", &invitation)
  }
}

/// An effect of a recipient's key on the inviter's: the recipient's budget is used up, and the
/// invitation counts as answered by `unableToConnect`.
///
/// Cost: as an answer.
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
