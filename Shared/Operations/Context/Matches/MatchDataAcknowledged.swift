public import Wire

/// Pushed to a sender of match data: how far its receivers have it.
public struct MatchDataAcknowledged: Event {
  public static let opcode = Opcode(.context, 0xE6)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  /// The seat value of the client that sent the data; any other client ignores the event.
  public var seat: UInt64 = 0
  /// One for each receiver that has received more, or the same again.
  public var receipts: [MatchReceipt] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("seat", &seat)
    visit.field("receipts", &receipts)
  }
}
