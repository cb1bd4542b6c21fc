public import Wire

/// An effect of the request service: issues a beaten challenge back to who issued it, unless a pending
/// one of the same players asks for as much, or there are as many as there may be, or the score was
/// removed meanwhile.
///
/// Cost: a read, one row, three effects.
public struct ReturnScoreChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x39)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  /// The board's.
  public var key = RoutingKey()
  public var issuer = PlayerID()
  public var receiver = PlayerID()
  /// The score that beat the challenge.
  public var score = BeatingScore()
  /// The beaten one; nil from before it was said.
  public var beaten: ChallengeID?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("issuer", &issuer)
    visit.field("receiver", &receiver)
    visit.field("score", &score)
    visit.field("beaten", &beaten)
  }
}

/// A score strictly better than the one that a challenge asked for.
public struct BeatingScore: Message, Hashable {
  public var value: Int64 = 0
  public var context: UInt64 = 0
  /// The board's number of the attempt.
  public var attempt: UInt64 = 0
  public init() {}
  public init(value: Int64, context: UInt64, attempt: UInt64) {
    self.value = value
    self.context = context
    self.attempt = attempt
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("value", &value)
    visit.field("context", &context)
    visit.field("attempt", &attempt)
  }
}
