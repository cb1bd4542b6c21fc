public import Wire

/// Sent by a player: ends a friendship or takes an invitation back, on both sides and without an
/// event. It is harmless when there is neither.
///
/// Errors: none of its own. Cost: one row and one effect.
public struct RemoveFriend: Operation {
  public static let opcode = Opcode(.request, 0x14)
  public typealias Reply = Empty
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
