public import Wire

/// An effect of a board: brings one player's list of received or issued challenges up to date.
///
/// Errors: `invalidArgument` (player) when the challenge is not one of the player's. Cost: one row, and
/// one more when an old ended challenge makes room.
public struct ChallengeChanged: Operation {
  public static let opcode = Opcode(.leaderboard, 0x30)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var challenge = Challenge()
  public init() {}
  public init(_ challenge: Challenge, for player: PlayerID) {
    self.player = player
    self.challenge = challenge
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("challenge", &challenge)
  }
}
