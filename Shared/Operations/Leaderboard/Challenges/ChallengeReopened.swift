public import Wire

/// In both players' streams, once: the score that completed the challenge was removed, so the
/// challenge is open again.
public struct ChallengeReopened: Event {
  public static let opcode = Opcode(.leaderboard, 0xA4)
  public static var way: EventWay { .stream }
  public var challenge = Challenge()
  public init() {}
  public init(_ challenge: Challenge) { self.challenge = challenge }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
  }
}
