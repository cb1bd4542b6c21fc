public import Wire

/// A timer's: ends a challenge whose date has passed, at the key that owns it.
///
/// Cost: one row, two or four effects.
public struct ExpireChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x38)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  /// The key of the board, or for an achievement challenge that of the receiver.
  public var key = RoutingKey()
  public var receiver = PlayerID()
  public var challenge = ChallengeID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("receiver", &receiver)
    visit.field("challenge", &challenge)
  }
}
