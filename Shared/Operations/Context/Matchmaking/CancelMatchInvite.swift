public import Wire

/// Sent by a player: takes an invitation to a match back. Those who were invited get a
/// `MatchInviteEnded`. It does nothing when the invitation is over.
///
/// Errors: none of its own. Cost: a row, an effect for each recipient.
public struct CancelMatchInvite: Operation {
  public static let opcode = Opcode(.context, 0x82)
  public typealias Reply = Empty
  public var invite = MatchInviteID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("invite", &invite)
  }
}
