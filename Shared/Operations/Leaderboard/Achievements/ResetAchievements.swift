public import Wire

/// Sent by a player: takes back everything that the caller has reported in this game. Completed
/// challenges stay completed, and open ones stay open, because the player may earn the achievement
/// again.
///
/// Cost: one read of the player's achievements in the game, at most 100 rows.
public struct ResetAchievements: Operation {
  public static let opcode = Opcode(.leaderboard, 0x44)
  public typealias Reply = Empty
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
