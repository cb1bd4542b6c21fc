public import Wire

/// A timer's: the time of an exchange is up. It is complete with the answers that are there; if it
/// was complete already, it goes.
///
/// Cost: a game row, an event for each of its players.
public struct EndTurnExchange: Operation {
  public static let opcode = Opcode(.context, 0x5A)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
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
