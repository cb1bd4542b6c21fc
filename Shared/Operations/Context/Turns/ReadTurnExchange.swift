public import Wire

/// Sent by a player of an exchange, or, when it is complete, by the player who has the turn:
/// returns what was said in it. Other players' answers are shown to whoever opened it, and, when it
/// is complete, to all of them; the words of a player who blocks the caller, or is blocked, are
/// not. In a game with sealed rounds only the players of the exchange read it.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context; number: no such game),
/// `notAllowed` (no seat), `notFound` (exchange). Changes nothing; reads up to
/// `TurnLimits.playersMax` rows.
public struct ReadTurnExchange: Operation {
  public static let opcode = Opcode(.context, 0x4E)
  public static var routing: Routing { .firstIdentifier }
  public static var isReadOnly: Bool { true }
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

  public struct Reply: Message {
    public var exchange = TurnExchange()
    public var request = Bytes()
    public var answers: [TurnExchangeAnswer] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("exchange", &exchange)
      visit.field("request", &request)
      visit.field("answers", &answers)
    }
  }
}
