public import Wire

/// Returns the boards of a set, in its order. Boards that the game has not declared are left out
/// for players; the game's own server and operators see them without a title. A newly declared
/// board, or a new title, appears here a moment later.
///
/// Errors: `requiredArgument` (set), `notFound` (set). Cost: O(boards of the set).
public struct DescribeLeaderboardSet: Operation {
  public static let opcode = Opcode(.leaderboard, 0x52)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .game }
  public var set = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("set", &set)
  }

  public var fault: Failure? { self.set.isEmpty ? LeaderboardSetName.fault(of: self.set) : nil }

  public struct Reply: Message {
    public var title = ""
    public var boards: [LeaderboardSetMember] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("title", &title)
      visit.field("boards", &boards)
    }
  }
}

/// A board in a set.
public struct LeaderboardSetMember: Message, Hashable {
  public var board = ""
  /// Nil for a board that the game has not declared.
  public var title: String?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("title", &title)
  }
}
