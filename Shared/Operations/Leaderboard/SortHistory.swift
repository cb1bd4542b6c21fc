public import Wire

/// An effect of a board on itself: the next step of sorting the changes in its history, so that a
/// past rank is counted from a few rows. Other calls are served between two steps.
///
/// A step makes a run of 512 changes, or the next part of a run that merges eight others. Steps
/// follow each other until nothing is left to do. A step that was outstanding when the process died
/// is taken after its restart.
///
/// Errors: none. Cost: a read of at most 512 rows of changes, or of 24 rows of runs with 256 places
/// each; at most as many rows of runs, one row of the history, and one effect.
public struct SortHistory: BoardStep {
  public static let opcode = Opcode(.leaderboard, 0x32)
  public var boardKey = RoutingKey()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
  }
}
