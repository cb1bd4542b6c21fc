public import Wire

/// In the receiver's stream: a friend challenges the player.
public struct ChallengeReceived: Event {
  public static let opcode = Opcode(.leaderboard, 0xA0)
  public static var way: EventWay { .stream }
  public var challenge = Challenge()
  public init() {}
  public init(_ challenge: Challenge) { self.challenge = challenge }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
  }
}
