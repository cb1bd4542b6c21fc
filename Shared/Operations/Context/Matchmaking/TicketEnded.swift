public import Wire

/// In the streams of a ticket's players: it has ended without a match, and why.
public struct TicketEnded: Event {
  public static let opcode = Opcode(.context, 0xB1)
  public static var way: EventWay { .stream }
  public var info = TicketInfo()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("info", &info)
  }
}
