public import Wire

/// A fact about a context, for a call of one who is active in it: the players who are active there.
/// It is no consent of theirs to play with the caller.
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
    /// The number of the running match that may take more players, when the caller has a seat in
    /// it; 0 for none.
    public var openMatch: UInt64 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("players", &players)
      visit.field("openMatch", &openMatch)
    }
  }
}
