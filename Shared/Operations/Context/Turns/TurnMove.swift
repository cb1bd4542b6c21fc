public import Wire

/// A move as it is in the history, with the position after it.
public struct TurnMove: Message, Hashable {
  /// Moves count from 1.
  public var index: UInt32 = 0
  public var kind = TurnMoveKind()
  public var player = PlayerID()
  /// In milliseconds since 1970.
  public var time: Int64 = 0
  /// The game's version after it; the moves of a sealed round share one.
  public var version: UInt64 = 0
  /// Of a sealed move.
  public var round: UInt32 = 0
  public var payload = Bytes()
  /// Who had the turn after it, and who was to come next.
  public var next: [PlayerID] = []
  /// What was left on each seat's clock; empty in games without such clocks.
  public var clocks: [Int64] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("index", &index)
    visit.field("kind", &kind)
    visit.field("player", &player)
    visit.field("time", &time)
    visit.field("version", &version)
    visit.field("round", &round)
    visit.field("payload", &payload)
    visit.field("next", &next)
    visit.field("clocks", &clocks)
  }
}
