public import Wire

/// An effect of a queue on each player of a ticket: brings the player's own list of tickets up to
/// date. Effects about one ticket arrive in order; what has ended stays so.
///
/// Cost: one row, and one more where an old ticket leaves the list; for a player who has too many
/// tickets, an effect that cancels it.
public struct RecordTicket: Operation {
  public static let opcode = Opcode(.context, 0x77)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var info = TicketInfo()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("info", &info)
  }
}
