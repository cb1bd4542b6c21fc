public import Wire

/// Returns the sets of the caller's game in the order in which they were declared; at most 100, in
/// one reply.
///
/// Errors: none. Cost: O(sets of the game).
public struct ListLeaderboardSets: Operation {
  public static let opcode = Opcode(.leaderboard, 0x51)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .game }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    public var sets: [LeaderboardSetEntry] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("sets", &sets)
    }
  }
}

/// A set in a list of sets.
public struct LeaderboardSetEntry: Message, Hashable {
  public var set = ""
  public var title = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("set", &set)
    visit.field("title", &title)
  }
}
