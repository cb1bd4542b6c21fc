public import Wire

/// An effect of the leaderboard service on the request service: passes a challenge on to its board
/// if the two players are still friends, which only the request service knows.
///
/// Cost: one look-up, one effect.
public struct OfferReturnChallenge: Operation {
  public static let opcode = Opcode(.request, 0x50)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var challenge = ReturnScoreChallenge()
  public init() {}
  public init(_ challenge: ReturnScoreChallenge) {
    player = challenge.issuer
    self.challenge = challenge
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("challenge", &challenge)
  }
}
