public import Wire

/// Returns the boards of the caller's game, by name, whether they are in a set or not. A newly
/// declared board, or a new title, appears here a moment later. A board that was declared before
/// there were sets appears once it is declared anew or is in a set.
///
/// Boards that are linked to a context are among them; who is not in it is refused by
/// `DescribeLeaderboard`.
///
/// Errors: `invalidArgument` (cursor, limit). Cost: O(log boards of the game + limit).
public struct ListLeaderboards: Operation {
  public static let opcode = Opcode(.leaderboard, 0x55)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .game }
  /// Empty for the first page.
  public var cursor = ""
  public var limit: UInt32 = 100
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public var fault: Failure? {
    guard limit >= 1, limit <= LeaderboardLimits.boardPageMax else {
      return Failure(
        .invalidArgument, argument: "limit",
        "A page has 1 to \(LeaderboardLimits.boardPageMax) boards.")
    }
    if cursor.isEmpty || LeaderboardName.fault(of: cursor) == nil { return nil }
    return Failure(
      .invalidArgument, argument: "cursor",
      "The cursor is not one of this list: begin again with the first page.")
  }

  public struct Reply: Message {
    public var boards: [LeaderboardListEntry] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("boards", &boards)
      visit.field("cursor", &cursor)
    }
  }
}

/// A board in the list of a game's boards.
public struct LeaderboardListEntry: Message, Hashable {
  public var board = ""
  public var title = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("title", &title)
  }
}
