public import Wire

/// In the durable streams of a group's owner and moderators: a player asks to be let in. See
/// `AnswerContextRequest`.
public struct ContextJoinRequested: Event {
  public static let opcode = Opcode(.context, 0xA2)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var generation: UInt32 = 0
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("generation", &generation)
    visit.field("player", &player)
  }
}
