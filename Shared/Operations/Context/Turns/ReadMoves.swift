public import Wire

/// Sent by a player of the game or a spectator: returns moves in their order, a page at a time.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game,
/// or not kept any more), `notAllowed` (the caller has no seat and does not watch),
/// `invalidArgument` (limit). Changes nothing; reads `limit` rows.
public struct ReadMoves: Operation {
  public static let opcode = Opcode(.context, 0x53)
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public var context = ContextID()
  /// As with `ReadTurnGame`.
  public var number: UInt32 = 0
  /// The first move's index. Moves count from 1; 0 is the position at the start.
  public var from: UInt32 = 1
  public var limit: UInt32 = 64
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("from", &from)
    visit.field("limit", &limit)
  }

  public struct Reply: Message {
    public var moves: [TurnMove] = []
    /// Moves of the game.
    public var moveCount: UInt32 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("moves", &moves)
      visit.field("moveCount", &moveCount)
    }
  }
}
