public import Wire

/// In the durable stream of a player on whom a turn-based game waits.
public struct TurnReminder: Event {
  public static let opcode = Opcode(.context, 0xAD)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  /// Who reminds; nil when it is the time, which runs out soon.
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("player", &player)
  }
}
