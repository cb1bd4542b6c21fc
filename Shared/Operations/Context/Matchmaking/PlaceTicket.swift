public import Wire

/// An effect of an invitation on a queue: puts in the ticket of those who have accepted, for the
/// rest of the seats. The mask, numbers, words and latencies are those that the inviter named for
/// all. Also an effect of a match that too few have joined: those who came are put in again, in
/// their old place in the line. Those of them who wait in the queue by another ticket meanwhile are
/// left out. Where the queue cannot take it, or not all, the ticket ends as cancelled for them;
/// where nobody comes and they are enough, they get their match when it would expire.
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
  /// The place in the line, 0 for the last, and the times in milliseconds since 1970, of a ticket
  /// that was matched before; `expiresAt` is 0 for a new one. The last one begins to wait when it
  /// comes, whatever `createdAt` says.
  public var arrival: UInt64 = 0
  public var createdAt: Int64 = 0
  public var expiresAt: Int64 = 0
  /// Of builds before `absences`; nobody reads it any more.
  public var absentMilliseconds: Int64 = 0
  /// The players who have let found matches wait since they joined one last.
  public var absences: [TicketAbsence] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("queue", &queue)
    visit.field("ticket", &ticket)
    visit.field("playerGroup", &playerGroup)
    visit.field("players", &players)
    visit.field("criteria", &criteria)
    visit.field("arrival", &arrival)
    visit.field("createdAt", &createdAt)
    visit.field("expiresAt", &expiresAt)
    visit.field("absentMilliseconds", &absentMilliseconds)
    visit.field("absences", &absences)
  }
}

/// A player of a ticket who did not join the last matches that were found for it.
public struct TicketAbsence: Message, Hashable {
  public var player = PlayerID()
  /// For how long, in all, they waited for the player.
  public var milliseconds: Int64 = 0
  public init() {}
  public init(_ player: PlayerID, _ milliseconds: Int64) {
    self.player = player
    self.milliseconds = milliseconds
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("milliseconds", &milliseconds)
  }
}
