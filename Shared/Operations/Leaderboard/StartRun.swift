public import Wire

/// Sent by a player: begins a run on a board that requires tickets, and returns the ticket, which
/// goes with the run's score, once. A client may invent what it says of a run. With a ticket it
/// cannot invent when the run began, nor count a run twice.
///
/// Errors: `requiredArgument` (board), `notFound` (board), `conflict` (board, when it requires no
/// tickets), `notAllowed` (a banned player). Cost: one row, and one more when the ticket replaces
/// the player's oldest one.
public struct StartRun: Operation {
  public static let opcode = Opcode(.leaderboard, 0x1A)
  public static var routing: Routing { .firstName }
  public var board = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
  }

  public struct Reply: Message {
    public var ticket = TicketID()
    /// The first millisecond since 1970 at which the board takes the run's score.
    public var from: Int64 = 0
    /// The first millisecond since 1970 at which the board does not take the run's score any more.
    public var until: Int64 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("ticket", &ticket)
      visit.field("from", &from)
      visit.field("until", &until)
    }
  }
}
