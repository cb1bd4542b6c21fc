public import Wire

/// From a board to itself: the next step of sorting what its history has of changes, so that a past
/// rank is counted from a few rows. Others are served between two steps.
///
/// A step makes a run of 512 changes, or the next part of one of eight runs. It is repeated until
/// nothing is left to do; a step that was not taken when the process died is taken after its restart.
///
/// Errors: none. Cost: a read of at most 512 rows of changes, or of 24 rows of runs, of 256 places
/// each; at most as many rows of runs, one row of the history, and an effect.
public struct SortHistory: Operation {
  public static let opcode = Opcode(.leaderboard, 0x32)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var boardKey = RoutingKey()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
  }
}
