public import Wire

/// Sent by a player: ends a consent between the caller and a friend in this game, whichever of the
/// two has given it. Where there is none, nothing happens.
///
/// Errors: none of its own. Cost: a row, an event and an effect.
public struct RevokeConsent: Operation {
  public static let opcode = Opcode(.request, 0x27)
  public typealias Reply = Empty
  public var player = PlayerID()
  /// False for the consent that the caller has given to `player`; true for the one that `player`
  /// has given to the caller.
  public var isHeld = false
  public init() {}
  public init(_ player: PlayerID, isHeld: Bool) { (self.player, self.isHeld) = (player, isHeld) }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("isHeld", &isHeld)
  }
}
