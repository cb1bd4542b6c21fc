public import Wire

/// In both players' streams, once: the receiver did not complete the challenge before it expired.
public struct ChallengeExpired: Event {
  public static let opcode = Opcode(.leaderboard, 0xA3)
  public static var way: EventWay { .stream }
  public var challenge = Challenge()
  public init() {}
  public init(_ challenge: Challenge) { self.challenge = challenge }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
  }
}
