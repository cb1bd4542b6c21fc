public import Wire

/// In the stream of a player who is invited to a match. `AnswerMatchInvite` answers it.
public struct MatchInvitation: Event {
  public static let opcode = Opcode(.context, 0xB2)
  public static var way: EventWay { .stream }
  public var invite = MatchInviteID()
  public var inviter = PlayerID()
  public var message = ""
  public var playerGroup = ""
  public var playerAttributes: UInt32 = 0
  /// When an answer comes too late, in milliseconds since 1970, by the clock of the inviter's key.
  public var expiresAt: Int64 = 0
  /// The context of the running match that the player is invited to; nil for a new one.
  public var context: ContextID?
  /// How long it can be answered, from the event's own time on. A client that has missed events
  /// compares that with the time that `SessionStarted` says, which is of the same clock.
  public var waitMilliseconds: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("invite", &invite)
    visit.field("inviter", &inviter)
    visit.field("message", &message)
    visit.field("playerGroup", &playerGroup)
    visit.field("playerAttributes", &playerAttributes)
    visit.field("expiresAt", &expiresAt)
    visit.field("context", &context)
    visit.field("waitMilliseconds", &waitMilliseconds)
  }
}

/// In the inviter's stream: a player has answered, or has not in time.
public struct MatchInviteAnswered: Event {
  public static let opcode = Opcode(.context, 0xB3)
  public static var way: EventWay { .stream }
  public var invite = MatchInviteID()
  public var player = PlayerID()
  public var answer = MatchInviteAnswer()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("invite", &invite)
    visit.field("player", &player)
    visit.field("answer", &answer)
  }
}

/// In the streams of the inviter and of those who accepted: the invitation is over, because all
/// have answered or the time is. Of a cancelled one those who accepted or could still have answered
/// hear, and not the inviter; of one to a running match the inviter, and who accepted and got no
/// seat.
public struct MatchInviteEnded: Event {
  public static let opcode = Opcode(.context, 0xB4)
  public static var way: EventWay { .stream }
  public var invite = MatchInviteID()
  public var inviter = PlayerID()
  /// The context of the match that it came to, of which a `MatchFound` tells too.
  public var context: ContextID?
  /// The ticket by which the rest of the seats are filled.
  public var ticket: MatchTicketID?
  /// Of the ticket.
  public var playerGroup = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("invite", &invite)
    visit.field("inviter", &inviter)
    visit.field("context", &context)
    visit.field("ticket", &ticket)
    visit.field("playerGroup", &playerGroup)
  }
}
