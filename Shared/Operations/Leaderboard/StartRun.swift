public import Wire

/// A player begins a run on a board that requires tickets: the ticket goes with the run's score, once.
/// What a client says of a run it may invent; when the run began and that it counts once, it cannot.
///
/// Errors: `requiredArgument` (board), `notFound` (board), `conflict` (board, one without tickets),
/// `notAllowed` (a banned player). Cost: one row; one more when it replaces the player's oldest ticket.
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
    /// When the board takes the run's score, in milliseconds since 1970: from, and not any more at.
    public var from: Int64 = 0
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
