public import Wire

/// The receiver takes a challenge up; accepting it again is harmless.
///
/// Errors: `requiredArgument` (board), `notFound` (board; challenge when it is not an open one of the
/// caller's). Cost: one row, two effects.
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
