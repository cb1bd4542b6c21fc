public import Wire

/// Sent by a player: returns the caller's turn-based games in this game that are under way; those
/// that wait for the caller come first, the longest waiting ahead. The list may be a moment behind.
///
/// Errors: `invalidArgument` (limit) outside 1...100, `invalidArgument` (cursor) for a text that is
/// not of this list. Changes nothing; reads `limit` rows.
public struct ListTurnGames: Operation {
  public static let opcode = Opcode(.context, 0x54)
  public static var isReadOnly: Bool { true }
  public var filter = TurnListFilter()
  /// Where the page begins: the last reply's cursor, or empty for the start.
  public var cursor = ""
  public var limit: UInt32 = 50
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("filter", &filter)
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public struct Reply: Message {
    public var games: [TurnListEntry] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("games", &games)
      visit.field("cursor", &cursor)
    }
  }
}
