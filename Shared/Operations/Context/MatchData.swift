public import Wire

/// Pushed to a receiver of match data, in the order in which the sender sent it. Data that the
/// sender repeats may come twice.
public struct MatchData: Event {
  public static let opcode = Opcode(.context, 0xE1)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  public var sender = PlayerID()
  public var senderSeat: UInt64 = 0
  /// The seat value of the client that the data is numbered for; any other client ignores it.
  public var receiverSeat: UInt64 = 0
  /// The number of the data for this receiver; 0 for unreliable data that was sent to all.
  public var sequence: UInt64 = 0
  public var isReliable = false
  /// Whether the message goes on in the next reliable data of the same sender.
  public var isPartial = false
  public var payload = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("sender", &sender)
    visit.field("senderSeat", &senderSeat)
    visit.field("receiverSeat", &receiverSeat)
    visit.field("sequence", &sequence)
    visit.field("isReliable", &isReliable)
    visit.field("isPartial", &isPartial)
    visit.field("payload", &payload)
  }
}
