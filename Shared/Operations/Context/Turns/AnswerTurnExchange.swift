public import Wire

/// Sent by a receiver of an exchange: the caller's answer, once.
///
/// Errors, in this order: `invalidArgument` (payload), `requiredArgument` (context), `notFound`
/// (context; number: no such game), `notAllowed` (no seat, or not active), `notFound` (exchange:
/// none that waits for the caller), `notReachable` (one of its players blocks the caller, or is
/// blocked). Cost: two rows, an event for the player who has opened it, and one for whoever has the
/// turn when it is complete.
public struct AnswerTurnExchange: Operation {
  public static let opcode = Opcode(.context, 0x4C)
  public typealias Reply = TurnGameInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's number in its context.
  public var number: UInt32 = 0
  public var exchange: UInt32 = 0
  /// At most `TurnLimits.exchangeSizeMax` bytes.
  public var payload = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("exchange", &exchange)
    visit.field("payload", &payload)
  }

  public var fault: Failure? {
    if payload.array.count <= TurnLimits.exchangeSizeMax { return nil }
    return Failure(
      .invalidArgument, argument: "payload",
      "What is said has at most \(TurnLimits.exchangeSizeMax) bytes.")
  }
}
