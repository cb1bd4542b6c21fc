public import Wire

/// Sent by a player: returns the requests of this game that the caller has neither answered nor
/// deleted, newest first. Reading does not remove them.
///
/// Errors: `invalidArgument` (limit outside 1...`RequestLimits.pageMax`; cursor that is not of this
/// list). Cost: a look at each of the caller's open requests.
public struct Inbox: Operation {
  public static let opcode = Opcode(.request, 0x31)
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

  public var fault: Failure? {
    if (1...UInt32(RequestLimits.pageMax)).contains(limit) { return nil }
    return Failure(
      .invalidArgument, argument: "limit", "A page holds 1 to \(RequestLimits.pageMax) requests.")
  }

  public struct Reply: Message {
    public var requests: [ReceivedRequest] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("requests", &requests)
      visit.field("cursor", &cursor)
    }
  }
}
