public import Wire

/// Sent by the player who has opened an exchange: takes it back. The receivers are told.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game),
/// `notAllowed` (no seat, or not active), `notFound` (exchange: none that the caller has opened).
/// Cost: a game row, a row for each player of it, an event for each receiver.
public struct CancelTurnExchange: Operation {
  public static let opcode = Opcode(.context, 0x4D)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var exchange: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("exchange", &exchange)
  }
}
