public import Wire

/// A challenge as both of its players see it: to meet a score, or to earn an achievement. A score
/// challenge is owned by its board's key, an achievement challenge by its receiver's key. Lists and
/// events elsewhere hold copies.
public struct Challenge: Message, Hashable {
  public var id = ChallengeID()
  /// The board of a score challenge; empty for an achievement challenge.
  public var board = ""
  public var issuer = PlayerID()
  public var receiver = PlayerID()
  /// For a score challenge, the value to meet: that of the issuer's entry when it was issued, or a
  /// worse one.
  public var value: Int64 = 0
  /// For a score challenge, the tag of that score; see `SubmitScore.scoreTag`.
  public var scoreTag: UInt64 = 0
  public var message = ""
  /// When it was issued, in milliseconds since 1970.
  public var issueDate: Int64 = 0
  public var completionDate: Int64?
  public var state = ChallengeState()
  /// The achievement to earn; empty for a score challenge.
  public var achievement = ""
  /// When it expires, in milliseconds since 1970; nil for a challenge that never expires.
  public var expiryDate: Int64?
  /// The board's number of the issuer's attempt on which the challenge rests; 0 where it is not
  /// known.
  public var attempt: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("id", &id)
    visit.field("board", &board)
    visit.field("issuer", &issuer)
    visit.field("receiver", &receiver)
    visit.field("value", &value)
    visit.field("scoreTag", &scoreTag)
    visit.field("message", &message)
    visit.field("issueDate", &issueDate)
    visit.field("completionDate", &completionDate)
    visit.field("state", &state)
    visit.field("achievement", &achievement)
    visit.field("expiryDate", &expiryDate)
    visit.field("attempt", &attempt)
  }

  /// Returns whether its expiry date has passed, even if its state does not say so yet.
  public func isOver(at now: Int64) -> Bool { expiryDate.map { $0 <= now } ?? false }

  /// Sets the expiry date, counted from the issue date; a lifetime of 0 sets none.
  public mutating func setExpiry(after lifetimeMilliseconds: UInt64) {
    expiryDate = lifetimeMilliseconds == 0 ? nil : issueDate + Int64(lifetimeMilliseconds)
  }
}
