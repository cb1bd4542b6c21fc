public import Wire

/// An effect of a board on a player: brings the player's list of received or issued challenges up
/// to date.
///
/// Errors: `invalidArgument` (player) when the challenge is not one of the player's. Cost: one row,
/// and one more when an old ended challenge makes room; one effect when the challenge is to be
/// issued back.
public struct ChallengeChanged: Operation {
  public static let opcode = Opcode(.leaderboard, 0x30)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var challenge = Challenge()
  /// For the receiver: the strictly better score that beat the challenge, with which the receiver
  /// may want to issue it back; nil otherwise.
  public var beatenBy: BeatingScore?
  /// Whether the challenge was completed before and is not any more.
  public var isUndone = false
  public init() {}
  public init(_ challenge: Challenge, for player: PlayerID, beatenBy: BeatingScore? = nil) {
    self.player = player
    self.challenge = challenge
    self.beatenBy = beatenBy
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("challenge", &challenge)
    visit.field("beatenBy", &beatenBy)
    visit.field("isUndone", &isUndone)
  }
}
