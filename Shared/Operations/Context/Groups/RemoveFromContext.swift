public import Wire

/// Sent by the owner or a moderator of a group: removes a player, who may not come back unless the
/// owner or a moderator invites the player again. A moderator removes participants, the owner
/// anybody else. The link that a removed moderator knew goes, and the group gets a new one. The
/// removed one and the others get a `ContextPlayerChanged`; its match goes on without the player.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context) as with
/// `SwitchContext`, `notAllowed` (context) when it is no group or the caller may remove nobody,
/// `invalidArgument` (player) for the caller, `notFound` (player) when that player is not in the
/// group, `notAllowed` (player) when a moderator names the owner or another moderator. Cost: one
/// context row, at most one match row, at most two effects for each player.
public struct RemoveFromContext: Operation {
  public static let opcode = Opcode(.context, 0x20)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("player", &player)
  }
}
