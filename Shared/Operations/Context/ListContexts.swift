public import Wire

/// Sent by a player: returns the caller's contexts in this game, invitations included, the most
/// recently active first, each as a summary: see `ContextInfo`. The list may be a moment behind
/// `GetContext`. A context that becomes active between two pages moves to the front.
///
/// Errors: `invalidArgument` (limit) outside 1...100, `invalidArgument` (cursor) for a text that is
/// not of this list. Changes nothing; costs O(log n + limit) for n contexts of the caller.
public struct ListContexts: Operation {
  public static let opcode = Opcode(.context, 0x15)
  public static var isReadOnly: Bool { true }
  /// Where the page begins: the last reply's cursor, or empty for the start.
  public var cursor = ""
  public var limit: UInt32 = 50
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public struct Reply: Message {
    public var contexts: [ContextInfo] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("contexts", &contexts)
      visit.field("cursor", &cursor)
    }
  }
}
