public import Wire

/// The requests of the caller's game that the caller has neither answered nor deleted, newest
/// first. Reading does not remove them.
///
/// Errors: `invalidArgument` (limit outside 1...`RequestLimits.pageMax`; a cursor that is not one
/// of ours). Cost: a look at each of the caller's open requests.
public struct Inbox: Operation {
  public static let opcode = Opcode(.request, 0x31)
  public static var isReadOnly: Bool { true }
  /// Empty for the first page, else `next` of the page before.
  public var cursor = Bytes()
  public var limit: UInt32 = 50
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public struct Reply: Message {
    public var requests: [ReceivedRequest] = []
    /// Where the next page begins; empty at the end.
    public var next = Bytes()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("requests", &requests)
      visit.field("next", &next)
    }
  }
}
