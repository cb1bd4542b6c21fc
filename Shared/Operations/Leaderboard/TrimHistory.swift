public import Wire

/// An effect of a board on itself: the next step of a round over its history, which removes changes
/// that were kept for long enough, or all of them when the board has no history any more. Other
/// calls are served between two steps.
///
/// Errors: none. Cost: a read of at most 256 changes, and two rows for each one removed; when none
/// is left to remove, a read of at most 64 rows of runs in each level, and a row for each; one
/// effect.
public struct TrimHistory: BoardStep {
  public static let opcode = Opcode(.leaderboard, 0x33)
  public var boardKey = RoutingKey()
  /// The date in milliseconds since 1970 up to which changes are removed.
  public var through: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("through", &through)
  }
}
