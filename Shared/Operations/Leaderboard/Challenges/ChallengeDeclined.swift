public import Wire

/// In the issuer's stream: the receiver declined the challenge.
public struct ChallengeDeclined: Event {
  public static let opcode = Opcode(.leaderboard, 0xA2)
  public static var way: EventWay { .stream }
  public var challenge = Challenge()
  public init() {}
  public init(_ challenge: Challenge) { self.challenge = challenge }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
  }
}
