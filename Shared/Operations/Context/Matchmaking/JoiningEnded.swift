public import Wire

/// In the streams of the players of a match that was found: some have not joined it in time, which
/// is half a minute (a setting of the deployment) from when the first one joined, or have left
/// before it began. They are out of its context, but for one in which a turn-based game is played:
/// they are out of the match alone, and the context stays. The match begins without them when it
/// has the least players that its tickets ask for; a match of tickets with masks of player
/// attributes needs all its players. Otherwise it is over, its context is closed, and those who
/// were there wait again.
public struct JoiningEnded: Event {
  public static let opcode = Opcode(.context, 0xB5)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  /// Those who did not come.
  public var absent: [PlayerID] = []
  public var outcome = JoiningOutcome()
  /// The ticket by which the receiver waits again, as old as the one before, without the time in
  /// the match. It has the old place in the line, but for a match that was found more than twice
  /// the time to join ago. Nil for those who did not come in time, for those who came by
  /// invitations alone, and when the match begins. Where another leaves earlier the time counts on
  /// in the ticket's next match: else a client that is gone would keep one opponent after the other
  /// waiting.
  public var ticket: MatchTicketID?
  /// Of the ticket.
  public var playerGroup = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("absent", &absent)
    visit.field("outcome", &outcome)
    visit.field("ticket", &ticket)
    visit.field("playerGroup", &playerGroup)
  }
}

/// What comes of a match that not all have joined.
public struct JoiningOutcome: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It begins without the absent.
  public static let begins = Self(rawValue: 0)
  /// Too few have joined: it is over.
  public static let tooFew = Self(rawValue: 1)

  public static let names = ["begins", "tooFew"]
}
