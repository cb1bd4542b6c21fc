public import Wire

/// An effect of a board on itself: the next step of mending the challenges that depended on removed
/// attempts. Other calls are served between two steps.
///
/// Challenges that the attempts had completed are open again, or have expired if their date has
/// passed. Open challenges that were issued with the attempts are withdrawn, also those that were
/// issued back. Both players are told of each, once. When a single attempt was removed, an open
/// challenge that the player's entry still meets rests on that entry from then on; no event tells
/// of it. Challenges that were completed `completed-challenge-days` (90 unless set) days ago or
/// earlier stay completed.
///
/// Errors: none. Cost: a read of at most 16 rows, and for each challenge two rows and four effects.
public struct CompensateRemoval: BoardStep {
  public static let opcode = Opcode(.leaderboard, 0x3F)
  public var boardKey = RoutingKey()
  /// The player whose attempts were removed.
  public var player = PlayerID()
  /// The board's number of the first removed attempt; an attempt without a number counts as 0.
  public var first: UInt64 = 0
  /// The board's number of the last removed attempt.
  public var through: UInt64 = 0
  /// The encoded key of the first completed challenge that the step looks at; empty for the first
  /// step.
  public var from = Bytes()
  /// Whether every completed challenge was looked at; the steps then go on with issued ones.
  public var isCompletedDone = false
  /// The number of the last issued challenge that was looked at.
  public var issuedAfter: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
    visit.field("first", &first)
    visit.field("through", &through)
    visit.field("from", &from)
    visit.field("isCompletedDone", &isCompletedDone)
    visit.field("issuedAfter", &issuedAfter)
  }
}
