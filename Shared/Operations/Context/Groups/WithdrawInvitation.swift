public import Wire

/// An effect of a player's list on a group that the player is invited to: the player, or whoever
/// has invited the player, blocks the other. The player is not invited any more; nobody is told.
/// Nothing happens when the player has entered or was invited again.
///
/// Cost: as `LeaveContext`.
public struct WithdrawInvitation: Operation {
  public static let opcode = Opcode(.context, 0x28)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var player = PlayerID()
  public var inviter = PlayerID()
  /// As `RecordContext` has said it: which invitation is meant.
  public var checkedAt: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("player", &player)
    visit.field("inviter", &inviter)
    visit.field("checkedAt", &checkedAt)
  }
}
