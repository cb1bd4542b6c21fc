public import Wire

/// In the durable stream of a player who is invited to a turn-based game. `AnswerTurnGame` answers
/// it.
public struct TurnGameInvitation: Event {
  public static let opcode = Opcode(.context, 0xA8)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  public var inviter = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("inviter", &inviter)
  }
}
