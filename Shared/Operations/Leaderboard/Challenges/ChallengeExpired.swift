public import Wire

/// To both players' streams, once: nobody met the challenge before its date.
public struct ChallengeExpired: Event {
  public static let opcode = Opcode(.leaderboard, 0xA3)
  public var challenge = Challenge()
  public init() {}
  public init(_ challenge: Challenge) { self.challenge = challenge }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
  }
}
