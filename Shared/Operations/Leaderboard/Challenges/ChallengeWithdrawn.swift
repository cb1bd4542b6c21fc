public import Wire

/// To both players' streams, once: the challenge has ended because a score was removed: the one that it
/// asks to meet, or the one that had completed it, when there is no room to open it again.
public struct ChallengeWithdrawn: Event {
  public static let opcode = Opcode(.leaderboard, 0xA5)
  public var challenge = Challenge()
  public init() {}
  public init(_ challenge: Challenge) { self.challenge = challenge }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
  }
}
