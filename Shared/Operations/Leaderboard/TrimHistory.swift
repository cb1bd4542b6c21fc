public import Wire

/// From a board to itself: the next step of a round over its history, which removes what was kept for
/// long enough, or all of it when the board has none any more. Others are served between two steps.
///
/// Errors: none. Cost: a read of at most 256 changes, and two rows for each that goes; when none is
/// left to remove, a read of at most 64 rows of runs in each level, and a row for each; an effect.
public struct TrimHistory: Operation {
  public static let opcode = Opcode(.leaderboard, 0x33)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var boardKey = RoutingKey()
  /// Milliseconds since 1970: what is dated up to here goes.
  public var through: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("through", &through)
  }
}
