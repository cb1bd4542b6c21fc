public import Wire

/// An effect of a player's key on a queue: cancels a ticket that is one too many for the player.
/// One that has ended stays as it is.
///
/// Cost: as `CancelTicket`.
public struct DropTicket: Operation {
  public static let opcode = Opcode(.context, 0x7B)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var queue = RoutingKey()
  public var ticket = MatchTicketID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("queue", &queue)
    visit.field("ticket", &ticket)
  }
}
