public import Wire

/// Pushed to a sender of match data: the receiver has received all of it up to `through`.
public struct MatchDataAcknowledged: Event {
  public static let opcode = Opcode(.context, 0xE2)
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  public var receiver = PlayerID()
  public var receiverSeat: UInt64 = 0
  public var senderSeat: UInt64 = 0
  public var through: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("receiver", &receiver)
    visit.field("receiverSeat", &receiverSeat)
    visit.field("senderSeat", &senderSeat)
    visit.field("through", &through)
  }
}
