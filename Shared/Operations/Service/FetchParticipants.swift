public import Wire

/// A fact about a context, for a call of one of its players: the players of the context.
///
/// Errors: `requiredArgument` (context), `notFound` (context) when there is no such context or the
/// caller is not in it, which are not told apart. Cost: one look in memory.
public struct FetchParticipants: FactQuestion {
  public static let opcode = Opcode(.context, 0x1E)
  public var context = ContextID()
  public init() {}
  public init(of context: ContextID) { self.context = context }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
  }

  public struct Reply: Message {
    /// The players who have not left, the invited ones included; as many as the context's size.
    public var players: [PlayerID] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("players", &players)
    }
  }
}
