public import Wire

/// An effect of a game on a board that is in one of the game's sets and whose title the game does
/// not know: the board answers with `RecordLeaderboard`, unless it is not declared. So boards that
/// were declared before there were sets appear in theirs.
///
/// Errors: none. Cost: an effect.
public struct TellLeaderboardTitle: BoardStep {
  public static let opcode = Opcode(.leaderboard, 0x54)
  public var boardKey = RoutingKey()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
  }
}
