public import Wire

/// An effect of a board on itself: the next step of a round over its kept attempts, or over its
/// completed challenges, which removes those that were kept for long enough. A round may also be
/// over attempts that are not to be kept at all any more. Other calls are served between two steps.
///
/// Errors: none. Cost: a read of at most 256 rows; a row for each one removed, and one effect.
public struct SweepAttempts: BoardStep {
  public static let opcode = Opcode(.leaderboard, 0x31)
  public var boardKey = RoutingKey()
  /// The encoded key at which the step begins; empty for the first step.
  public var from = Bytes()
  /// Whether the round is over completed challenges, and not over attempts.
  public var isOfCompleted = false
  /// The encoded key at which the round ends; empty for the board's last row.
  public var through = Bytes()
  /// Attempts up to this number of the board's are removed, however old they are; 0 for none.
  public var removedThrough: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("from", &from)
    visit.field("isOfCompleted", &isOfCompleted)
    visit.field("through", &through)
    visit.field("removedThrough", &removedThrough)
  }
}
