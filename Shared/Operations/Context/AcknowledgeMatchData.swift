public import Wire

/// Sent by a player of a match: the client has received all reliable data of `sender` up to
/// `through`. The sender gets a `MatchDataAcknowledged` if it is connected, and again for a
/// repeated call; the service keeps nothing.
///
/// Errors: `requiredArgument` (context), and `notAllowed`, `matchEnded`, `conflict` as with
/// `SendMatchData`. Cost: one push.
public struct AcknowledgeMatchData: Operation {
  public static let opcode = Opcode(.context, 0x33)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
  public static var isLive: Bool { true }
  public var context = ContextID()
  public var incarnation: UInt64 = 0
  /// The seat value of the client that acknowledges.
  public var seat: UInt64 = 0
  public var sender = PlayerID()
  public var senderSeat: UInt64 = 0
  public var through: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("incarnation", &incarnation)
    visit.field("seat", &seat)
    visit.field("sender", &sender)
    visit.field("senderSeat", &senderSeat)
    visit.field("through", &through)
  }
}
