public import Wire

/// In the durable streams of the other players: somebody has proposed to undo or to pause, and
/// whether it came to that.
public struct TurnProposalChanged: Event {
  public static let opcode = Opcode(.context, 0xAC)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  public var proposal: UInt32 = 0
  public var kind = TurnProposalKind()
  public var player = PlayerID()
  /// False when it is decided.
  public var isOpen = false
  public var isAccepted = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("proposal", &proposal)
    visit.field("kind", &kind)
    visit.field("player", &player)
    visit.field("isOpen", &isOpen)
    visit.field("isAccepted", &isAccepted)
  }
}
