public import Wire

/// In both players' streams, once: the challenge has ended because a score was removed. Either that
/// was the score to meet, or it was the score that had completed the challenge and there was no
/// room to open the challenge again.
public struct ChallengeWithdrawn: Event {
  public static let opcode = Opcode(.leaderboard, 0xA5)
  public static var way: EventWay { .stream }
  public var challenge = Challenge()
  public init() {}
  public init(_ challenge: Challenge) { self.challenge = challenge }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
  }
}
