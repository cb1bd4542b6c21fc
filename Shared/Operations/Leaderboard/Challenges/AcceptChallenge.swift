public import Wire

/// Sent by the receiver of a score challenge: accepts it. Accepting it again is harmless.
///
/// Errors: `requiredArgument` (board), `notFound` (board; challenge when it is not an open
/// challenge of the caller). Cost: one row, two effects.
public struct AcceptChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x21)
  public typealias Reply = Empty
  public static var routing: Routing { .firstName }
  public var board = ""
  public var challenge = ChallengeID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("challenge", &challenge)
  }
}
