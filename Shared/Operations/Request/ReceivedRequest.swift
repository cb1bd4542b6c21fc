public import Wire

/// A request as its recipient sees it. It names the sender, and never the other recipients.
public struct ReceivedRequest: Message {
  public var request = RequestID()
  public var sender = PlayerID()
  public var senderName = ""
  public var message = ""
  public var actionType = ActionType()
  public var objectID = ""
  public var data: String?
  public var title = ""
  public var cta = ""
  /// When it was sent, in milliseconds since 1970.
  public var sent: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("request", &request)
    visit.field("sender", &sender)
    visit.field("senderName", &senderName)
    visit.field("message", &message)
    visit.field("actionType", &actionType)
    visit.field("objectID", &objectID)
    visit.field("data", &data)
    visit.field("title", &title)
    visit.field("cta", &cta)
    visit.field("sent", &sent)
  }
}
