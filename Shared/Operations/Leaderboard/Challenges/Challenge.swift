public import Wire

/// A challenge as both of its players see it: to meet a score, or to earn an achievement. A score
/// challenge is owned by its board's key, an achievement challenge by its receiver's; other lists and
/// events carry copies.
public struct Challenge: Message, Hashable {
  public var id = ChallengeID()
  /// Empty for an achievement challenge, which has no value either.
  public var board = ""
  public var issuer = PlayerID()
  public var receiver = PlayerID()
  /// The value to meet: the issuer's entry when the challenge was issued, with its context.
  public var value: Int64 = 0
  public var context: UInt64 = 0
  public var message = ""
  /// Milliseconds since 1970.
  public var issueDate: Int64 = 0
  public var completionDate: Int64?
  public var state = ChallengeState()
  /// Empty for a score challenge.
  public var achievement = ""
  /// Nil for one that never expires.
  public var expiryDate: Int64?
  /// The board's number of the issuer's attempt that it asks to meet; 0 where that is not known.
  public var attempt: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("id", &id)
    visit.field("board", &board)
    visit.field("issuer", &issuer)
    visit.field("receiver", &receiver)
    visit.field("value", &value)
    visit.field("context", &context)
    visit.field("message", &message)
    visit.field("issueDate", &issueDate)
    visit.field("completionDate", &completionDate)
    visit.field("state", &state)
    visit.field("achievement", &achievement)
    visit.field("expiryDate", &expiryDate)
    visit.field("attempt", &attempt)
  }

  /// Past its date, whether or not that was written down yet.
  public func isOver(at now: Int64) -> Bool { expiryDate.map { $0 <= now } ?? false }

  /// Counts from the issue date; 0 is never.
  public mutating func setExpiry(after lifetimeMilliseconds: UInt64) {
    expiryDate = lifetimeMilliseconds == 0 ? nil : issueDate + Int64(lifetimeMilliseconds)
  }
}
