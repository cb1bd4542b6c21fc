public import Wire

/// Sent by the receiver of an achievement challenge: accepts it, or declines it, and then the
/// issuer is told. Accepting it again is harmless.
///
/// Errors: `notFound` (challenge when it is not an open achievement challenge of the caller). Cost:
/// one row, one or two effects.
public struct AnswerAchievementChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x27)
  public typealias Reply = Empty
  public var challenge = ChallengeID()
  public var accept = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
    visit.field("accept", &accept)
  }
}
