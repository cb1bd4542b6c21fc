public import Wire

/// In the durable stream of the player who has the turn now; in a game with sealed rounds, in those
/// of all players when a round is revealed. When a pause ends, in those of the players whom the
/// game waits for. `ReadTurnGame` returns the state.
public struct TurnPassed: Event {
  public static let opcode = Opcode(.context, 0xA9)
  public static var way: EventWay { .stream }
  public var context = ContextID()
  public var number: UInt32 = 0
  public var version: UInt64 = 0
  /// Who has moved; nil when it was time, or nobody in particular.
  public var player = PlayerID()
  public var moveCount: UInt32 = 0
  public var round: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("version", &version)
    visit.field("player", &player)
    visit.field("moveCount", &moveCount)
    visit.field("round", &round)
  }
}
