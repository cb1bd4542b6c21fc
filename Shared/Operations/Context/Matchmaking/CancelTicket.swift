public import Wire

/// Sent by a player of a ticket: cancels it for all its players. The reply says how the ticket has
/// ended: cancelled, or matched or expired before the call came. A repeated call gets the same.
///
/// Errors, in this order: `requiredArgument` and `invalidArgument` (playerGroup), `notFound`
/// (ticket) when the caller has no such ticket there, `conflict` (ticket) while seats in a running
/// match are asked for, or while the end is on its way to the caller's list: ask again. Cost: two
/// rows, an effect for each player; when others were about to be matched with it, a look at the
/// queue for each of them.
public struct CancelTicket: Operation {
  public static let opcode = Opcode(.context, 0x72)
  public static var routing: Routing { .firstName }
  public var playerGroup = ""
  public var ticket = MatchTicketID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("playerGroup", &playerGroup)
    visit.field("ticket", &ticket)
  }

  public var fault: Failure? { PlayerGroup.fault(of: playerGroup) }

  public struct Reply: Message {
    public var state = TicketState()
    /// The match's context, when the state is `matched`.
    public var context: ContextID?
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("state", &state)
      visit.field("context", &context)
    }
  }
}

public struct TicketState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let waiting = Self(rawValue: 0)
  public static let matched = Self(rawValue: 1)
  public static let cancelled = Self(rawValue: 2)
  public static let expired = Self(rawValue: 3)

  public static let names = ["waiting", "matched", "cancelled", "expired"]
}
