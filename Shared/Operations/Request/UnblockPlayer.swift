public import Wire

/// Sent by a player: lets `player` reach the caller again. What that player sent meanwhile stays
/// lost, and a friendship does not come back. It is harmless when the player is not blocked.
///
/// Errors: none of its own. Cost: one row and at most one effect.
public struct UnblockPlayer: Operation {
  public static let opcode = Opcode(.request, 0x16)
  public typealias Reply = Empty
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
