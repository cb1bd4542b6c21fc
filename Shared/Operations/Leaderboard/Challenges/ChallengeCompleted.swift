public import Wire

/// In both players' streams, once: the receiver met the challenge.
public struct ChallengeCompleted: Event {
  public static let opcode = Opcode(.leaderboard, 0xA1)
  public static var way: EventWay { .stream }
  public var challenge = Challenge()
  /// True in the receiver's stream (completed locally), false in the issuer's (completed remotely).
  public var isLocal = false
  /// The value that met the challenge: the attempt's value, or on a board of sums the new sum.
  public var value: Int64 = 0
  /// The tag of the attempt that met the challenge; see `SubmitScore.scoreTag`.
  public var scoreTag: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
    visit.field("isLocal", &isLocal)
    visit.field("value", &value)
    visit.field("scoreTag", &scoreTag)
  }
}
