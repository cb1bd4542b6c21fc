public import Wire

/// A timer's: an invitation to a match has waited long enough.
///
/// Cost: as the last answer.
public struct EndMatchInvite: Operation {
  public static let opcode = Opcode(.context, 0x83)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public var invite = MatchInviteID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("invite", &invite)
  }
}
