public import Wire

/// A score challenge as both of its players see it. The board's key owns it; lists and events carry
/// copies.
public struct Challenge: Message, Hashable {
  public var id = ChallengeID()
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
  }
}
