public import Wire

/// From a board to itself: the next step of putting right what depended on attempts that were removed.
/// Others are served between two steps.
///
/// Challenges that the attempts had completed are open again, or have expired if their date has passed;
/// open ones that the attempts had issued, also those issued back by themselves, are withdrawn. Both
/// players are told of each, once. What was completed `completed-challenge-days` (90 unless set)
/// ago or earlier stays completed.
///
/// Errors: none. Cost: a read of at most 16 rows, and for each challenge two rows and four effects.
public struct CompensateRemoval: Operation {
  public static let opcode = Opcode(.leaderboard, 0x3F)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var boardKey = RoutingKey()
  /// Whose attempts.
  public var player = PlayerID()
  /// The board's numbers of the first and the last one; what was not numbered counts as 0.
  public var first: UInt64 = 0
  public var through: UInt64 = 0
  /// Milliseconds since 1970: challenges that were completed or issued earlier are left as they are.
  public var since: Int64 = .min
  /// The first key of a completed challenge that the step looks at, encoded; empty for the first step.
  public var from = Bytes()
  /// Completed challenges were all looked at, and of those issued the ones up to this number.
  public var isCompletedDone = false
  public var issuedAfter: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("boardKey", &boardKey)
    visit.field("player", &player)
    visit.field("first", &first)
    visit.field("through", &through)
    visit.field("since", &since)
    visit.field("from", &from)
    visit.field("isCompletedDone", &isCompletedDone)
    visit.field("issuedAfter", &issuedAfter)
  }
}
