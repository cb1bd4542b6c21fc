public import Wire

/// In a player's durable stream: a friend has created their context, or opened it again, or invites
/// the player to a group. The player enters it with `SwitchContext` and declines with
/// `LeaveContext`.
public struct ContextInvitation: Event {
  public static let opcode = Opcode(.context, 0xA0)
  public static var way: EventWay { .stream }
  /// A summary.
  public var info = ContextInfo()
  public var inviter = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("info", &info)
    visit.field("inviter", &inviter)
  }
}
