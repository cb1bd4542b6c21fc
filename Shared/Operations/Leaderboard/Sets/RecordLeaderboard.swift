public import Wire

/// An effect of a board on its game: tells the board's title, for the sets that the board is in.
///
/// Errors: none. Cost: one row.
public struct RecordLeaderboard: Operation {
  public static let opcode = Opcode(.leaderboard, 0x53)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  /// The key of the game.
  public var key = RoutingKey()
  public var board = ""
  public var title = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("board", &board)
    visit.field("title", &title)
  }
}
