public import Wire

/// Sent by a player of a match: leaves it for good, or, before the match has begun, until the
/// player joins again. The other players get a `MatchPlayerChanged`. When at most one player is
/// left, the match ends, and that player gets a `MatchEnded`. The call does nothing if the match is
/// over or the caller is not in it; but where it names a seat and no match, a `JoinMatch` with this
/// seat value that comes within the next minute is refused: it was overtaken.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (no such context, or the caller
/// is not in it), `notAllowed` (another client has the player's seat, or `seat` is 0 and the call
/// does not come over the seat's connection). Cost: one match row, or one of a seat that was given
/// up; two pushes for each other player.
public struct LeaveMatch: Operation {
  public static let opcode = Opcode(.context, 0x31)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The match to leave; 0 takes the one that is running.
  public var number: UInt64 = 0
  /// The seat value of the client that leaves, on whatever connection; 0 leaves only over the
  /// connection that has the seat.
  public var seat: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("seat", &seat)
  }
}
