public import Wire

/// A fact about a player: the player's tickets in the caller's game, as `ListTickets` has them.
///
/// Cost: a look in memory for each ticket.
public struct FetchTickets: FactQuestion {
  public static let opcode = Opcode(.context, 0x78)
  public typealias Reply = ListTickets.Reply
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
