public import Wire

/// An operator or a game's server removes a player's entry. Challenges that were completed with it stay
/// completed, and those issued with it stay open.
///
/// Errors: `requiredArgument` (board), `notFound` (board, player). Cost: O(log n), one row.
public struct RemoveScore: Operation {
  public static let opcode = Opcode(.leaderboard, 0x17)
  public typealias Reply = Empty
  public static var access: Access { [.deploymentOperator, .gameServer] }
  public static var routing: Routing { .firstName }
  public var board = ""
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("player", &player)
  }
}
