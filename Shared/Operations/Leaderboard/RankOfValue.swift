public import Wire

/// Returns where a value stands, or would stand, among all entries.
///
/// Errors: `requiredArgument` (board, value), `invalidArgument` (timeScope, occurrencesBack),
/// `notFound` (board, occurrencesBack), `backpressure` (timeScope). Cost: O(log n).
public struct RankOfValue: Operation {
  public static let opcode = Opcode(.leaderboard, 0x18)
  public static var access: Access { [.player, .gameServer, .deploymentOperator] }
  public static var isReadOnly: Bool { true }
  public static var routing: Routing { .firstName }
  public var board = ""
  public var value: Int64?
  public var period = ScorePeriod()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("value", &value)
    visit.field("period", &period)
  }

  public struct Reply: Message {
    /// How many entries have a strictly better value. A new entry would have the rank
    /// `better + same + 1`, or with shared ranks `better + 1`.
    public var better: UInt32 = 0
    /// How many entries have the same value.
    public var same: UInt32 = 0
    /// How many entries have a strictly worse value.
    public var worse: UInt32 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("better", &better)
      visit.field("same", &same)
      visit.field("worse", &worse)
    }
  }

  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    if value == nil {
      return Failure(.requiredArgument, argument: "value", "The value is missing.")
    }
    return nil
  }
}
