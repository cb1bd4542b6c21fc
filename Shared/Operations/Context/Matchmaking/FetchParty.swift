public import Wire

/// A fact about a context, for a call of one who is active in it: the players who are active there,
/// and so have agreed to play with each other.
///
/// Errors: `notFound` (party) when there is no such context or the caller is not active in it,
/// which are not told apart. Cost: one look in memory.
public struct FetchParty: FactQuestion {
  public static let opcode = Opcode(.context, 0x79)
  public var party = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("party", &party)
  }

  public struct Reply: Message {
    public var players: [PlayerID] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("players", &players)
    }
  }
}
