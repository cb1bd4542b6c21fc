public import Wire

/// An effect of the leaderboard service on a context: a board is linked to it, or is not any more,
/// and has so many open challenges. The numbers are absolute, and an older one that comes later is
/// ignored.
///
/// Cost: one context row, an effect for each player if this changes what their lists show.
public struct LinkBoard: Operation {
  public static let opcode = Opcode(.context, 0x2E)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var board = ""
  public var isLinked = false
  public var openChallenges: UInt32 = 0
  /// Grows with each change of the board.
  public var version: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("board", &board)
    visit.field("isLinked", &isLinked)
    visit.field("openChallenges", &openChallenges)
    visit.field("version", &version)
  }
}
