public import Wire

/// An effect of a board on itself: the next step of a re-rank. Other calls are served between two
/// steps.
///
/// Errors: none. Cost: a thousand entries in memory, or a read of at most 256 kept attempts and a
/// row for each player whose entry is made of them; one effect.
public struct ContinueReRank: BoardStep {
  public static let opcode = Opcode(.leaderboard, 0x3E)
  public var boardKey = RoutingKey()
  /// The number of the re-rank; a step of one that has ended does nothing.
  public var number: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("number", &number)
  }
}
