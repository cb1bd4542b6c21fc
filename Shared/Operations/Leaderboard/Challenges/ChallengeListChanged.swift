public import Wire

/// A hint to both players' devices: the lists of challenges, received or issued, say something
/// else.
public struct ChallengeListChanged: Event {
  public static let opcode = Opcode(.leaderboard, 0xC0)
  public static var way: EventWay { .hint }
  public var challenge = ChallengeID()
  public var state = ChallengeState()
  public init() {}
  public init(_ challenge: Challenge) { (self.challenge, state) = (challenge.id, challenge.state) }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
    visit.field("state", &state)
  }
}
