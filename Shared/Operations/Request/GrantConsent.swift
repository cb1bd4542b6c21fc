public import Wire

/// Sent by a player: lets a friend send the caller requests of this game without being asked each
/// time. The consent ends when either of the two revokes it, or the friendship ends. Granting it
/// again is harmless.
///
/// Errors: `invalidArgument` (player: the caller or nobody); `notReachable` (player: no friend,
/// which unknown players and those who block the caller are as well); `limitReached` (player: in
/// `ConsentLimits.gamesMax` other games there are consents between the two); `rateLimited`.
/// Cost: a row, an event and an effect.
public struct GrantConsent: Operation {
  public static let opcode = Opcode(.request, 0x26)
  public typealias Reply = Empty
  /// The friend who may send.
  public var player = PlayerID()
  public init() {}
  public init(to player: PlayerID) { self.player = player }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
