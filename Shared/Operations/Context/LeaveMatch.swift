public import Wire

/// Sent by a player of a match: leaves it for good, or, before it has begun, until it joins again.
/// The others get a `MatchPlayerChanged`; when at most one player is left the match ends, and
/// whoever is left gets a `MatchEnded`. Leaving a match that is over, or that one is not in, does
/// nothing.
///
/// Errors: `requiredArgument` (contextToken), `notFound` (no such context, or the caller is not in
/// it), `notAllowed` when another connection has the seat. Cost: one match row; two pushes for each
/// other.
public struct LeaveMatch: Operation {
  public static let opcode = Opcode(.context, 0x31)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The match to leave; 0 takes the one that is running.
  public var number: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
  }
}
