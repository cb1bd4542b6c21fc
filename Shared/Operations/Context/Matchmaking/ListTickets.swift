public import Wire

/// Sent by a player: returns the caller's tickets in this game, the newest first: those that wait,
/// and the last that have ended. It may be a moment behind.
///
/// Changes nothing; costs a look in memory for each ticket.
public struct ListTickets: Operation {
  public static let opcode = Opcode(.context, 0x73)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    public var tickets: [TicketInfo] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("tickets", &tickets)
    }
  }
}

/// A ticket as its players see it.
public struct TicketInfo: Message, Hashable {
  public var ticket = MatchTicketID()
  public var playerGroup = ""
  public var state = TicketState()
  /// All players of the ticket; the first one has asked for it.
  public var players: [PlayerID] = []
  /// In milliseconds since 1970.
  public var createdAt: Int64 = 0
  public var expiresAt: Int64 = 0
  /// The match's context, when the state is `matched`.
  public var context: ContextID?
  /// Why it was not matched, when the state is `expired`.
  public var hindrance = MatchRuleKind()
  public var reason = TicketEndReason()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("ticket", &ticket)
    visit.field("playerGroup", &playerGroup)
    visit.field("state", &state)
    visit.field("players", &players)
    visit.field("createdAt", &createdAt)
    visit.field("expiresAt", &expiresAt)
    visit.field("context", &context)
    visit.field("hindrance", &hindrance)
    visit.field("reason", &reason)
  }
}

/// Why a ticket was cancelled.
public struct TicketEndReason: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It is not cancelled.
  public static let none = Self(rawValue: 0)
  /// One of its players has cancelled it.
  public static let player = Self(rawValue: 1)
  /// One of its players has too many tickets.
  public static let limit = Self(rawValue: 2)
  /// One of its players waits in the queue already, or the queue has no match for such a party.
  public static let refused = Self(rawValue: 3)

  public static let names = ["none", "player", "limit", "refused"]
}
