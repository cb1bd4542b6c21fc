public import Wire

/// Sent by the owner of a group: makes an active player a moderator or a participant, or the owner.
/// The caller then becomes a moderator: a group has one owner. The others get a
/// `ContextPlayerChanged`. A moderator who becomes a participant knows the group's link: it gets a
/// new one, and the old one leads nowhere.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context) as with
/// `SwitchContext`, `notAllowed` (context) when it is no group or the caller is not its owner,
/// `invalidArgument` (role) for an unknown one, `invalidArgument` (player) for the caller,
/// `notFound` (player) when that player is not active in the group, `rateLimited` over the caller's
/// budget of changes in this group. Cost: one context row, at most three effects for each player.
public struct ChangeContextRole: Operation {
  public static let opcode = Opcode(.context, 0x1B)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var player = PlayerID()
  public var role = ContextRole()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("player", &player)
    visit.field("role", &role)
  }
}
