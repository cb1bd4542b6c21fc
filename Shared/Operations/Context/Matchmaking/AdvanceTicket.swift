public import Wire

/// A timer's: a rule of a ticket loosens, or the ticket expires.
///
/// Cost: as for a new ticket.
public struct AdvanceTicket: Operation {
  public static let opcode = Opcode(.context, 0x76)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public var ticket = MatchTicketID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("ticket", &ticket)
  }
}
