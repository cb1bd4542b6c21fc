public import Wire

/// To both players' streams, once: the receiver met the challenge.
public struct ChallengeCompleted: Event {
  public static let opcode = Opcode(.leaderboard, 0xA1)
  public var challenge = Challenge()
  /// True in the receiver's stream (locally completed), false in the issuer's (remotely completed).
  public var isLocal = false
  /// The value that met it: the attempt's, or on a board of sums the new sum.
  public var value: Int64 = 0
  public var context: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
    visit.field("isLocal", &isLocal)
    visit.field("value", &value)
    visit.field("context", &context)
  }
}
