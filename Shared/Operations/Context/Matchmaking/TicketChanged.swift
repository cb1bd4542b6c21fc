public import Wire

/// A hint: a ticket of the player's has ended. What became of it is in the player's stream and in
/// `ListTickets`.
public struct TicketChanged: Event {
  public static let opcode = Opcode(.context, 0xCA)
  public static var way: EventWay { .hint }
  public var ticket = MatchTicketID()
  public var state = TicketState()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("ticket", &ticket)
    visit.field("state", &state)
  }
}
