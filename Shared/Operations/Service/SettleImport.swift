public import Wire

/// Sent by the gateway in the name of an operator for whom it has made a player: `SettleIdentity`
/// with a line in the audit, at the key of the player.
///
/// Cost: a row, and one more for the player unless an effect was faster.
public struct SettleImport: Operation {
  public static let opcode = Opcode(.request, 0x62)
  public typealias Reply = SettleIdentity.Reply
  public static var access: Access { .gatewayForOperator }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var holding = IdentityHolding()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("holding", &holding)
  }
}
