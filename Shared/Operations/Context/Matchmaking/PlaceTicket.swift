public import Wire

/// An effect of an invitation on a queue: puts in the ticket of those who have accepted, for the
/// rest of the seats. The mask, numbers, words and latencies are those that the inviter named for
/// all. Where the queue cannot take it, the ticket ends as cancelled; where nobody comes and they
/// are enough, they get their match when it would expire.
///
/// Cost: as `FindMatch`.
public struct PlaceTicket: Operation {
  public static let opcode = Opcode(.context, 0x7C)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var queue = RoutingKey()
  public var ticket = MatchTicketID()
  public var playerGroup = ""
  /// The first one is the inviter.
  public var players: [PlayerID] = []
  public var criteria = MatchCriteria()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("queue", &queue)
    visit.field("ticket", &ticket)
    visit.field("playerGroup", &playerGroup)
    visit.field("players", &players)
    visit.field("criteria", &criteria)
  }
}
