public import Wire

/// Pushed to a receiver of match data. The order is that of the sender; repeated data may come
/// again.
public struct MatchData: Event {
  public static let opcode = Opcode(.context, 0xE1)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  public var sender = PlayerID()
  public var senderSeat: UInt64 = 0
  /// The client that the data is numbered for; any other one ignores it.
  public var receiverSeat: UInt64 = 0
  /// 0 for unreliable data to all.
  public var sequence: UInt64 = 0
  public var isReliable = false
  /// The message goes on in the next reliable data of the same sender.
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
