public import Wire

/// In the sender's stream: a player has claimed an invite token, and gets the requests that were
/// sent to it. What becomes of these is told with the player as their recipient.
public struct InviteTokenClaimed: Event {
  public static let opcode = Opcode(.request, 0xAB)
  public static var way: EventWay { .stream }
  public var token = ""
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("token", &token)
    visit.field("player", &player)
  }
}
