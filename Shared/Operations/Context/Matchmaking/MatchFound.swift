public import Wire

/// In the streams of all who were put together in a match: its context, in which they are active.
/// `JoinMatch` takes the seat; a `notFound` within the first moments means that the context is not
/// open yet: try again. Whoever has not joined half a minute after the first one is out of it: see
/// `JoiningEnded`.
public struct MatchFound: Event {
  public static let opcode = Opcode(.context, 0xB0)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  /// The player's own ticket, or nil for players who came by invitations alone.
  public var ticket = MatchTicketID()
  public var playerGroup = ""
  /// All players of the match. Those of the ticket that was there first come first.
  public var players: [PlayerID] = []
  /// How many players the match waits for.
  public var expectedPlayerCount: UInt32 = 0
  /// The region that all players are near; empty where the queue has no rule about latency.
  public var region = ""
  /// The number of the running match that the players were added to; 0 for a new one.
  public var number: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("ticket", &ticket)
    visit.field("playerGroup", &playerGroup)
    visit.field("players", &players)
    visit.field("expectedPlayerCount", &expectedPlayerCount)
    visit.field("region", &region)
    visit.field("number", &number)
  }
}
