public import Wire

/// From a board to itself: the next step of a round over its kept attempts, or over its completed
/// challenges, which removes those that were kept for long enough. Others are served between two steps.
///
/// Errors: none. Cost: a read of at most 256 rows; a row for each that goes and an effect.
public struct SweepAttempts: Operation {
  public static let opcode = Opcode(.leaderboard, 0x31)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var boardKey = RoutingKey()
  /// The first key that the step looks at, encoded; empty for the board's first.
  public var from = Bytes()
  /// The round is over completed challenges, not over attempts.
  public var isOfCompleted = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("from", &from)
    visit.field("isOfCompleted", &isOfCompleted)
  }
}
