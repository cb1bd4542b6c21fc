public import Wire

/// An effect of the request service on a board: issues a beaten challenge back to its issuer.
/// Nothing happens if a pending challenge of the same players asks for as much, if as many are open
/// as allowed, or if the score was removed meanwhile.
///
/// Cost: a read, one row, three effects.
public struct ReturnScoreChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x39)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  /// The key of the board.
  public var key = RoutingKey()
  public var issuer = PlayerID()
  public var receiver = PlayerID()
  /// The score that beat the challenge.
  public var score = BeatingScore()
  /// The challenge that was beaten; without one nothing happens.
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
  /// The tag of the attempt; see `SubmitScore.scoreTag`.
  public var scoreTag: UInt64 = 0
  /// The board's number of the attempt.
  public var attempt: UInt64 = 0
  public init() {}
  public init(value: Int64, scoreTag: UInt64, attempt: UInt64) {
    self.value = value
    self.scoreTag = scoreTag
    self.attempt = attempt
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("value", &value)
    visit.field("scoreTag", &scoreTag)
    visit.field("attempt", &attempt)
  }
}
