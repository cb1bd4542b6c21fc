public import Wire

/// In the streams of both players: a consent was given, or one of the two has revoked it. The end
/// of a friendship ends its consents without this event.
public struct ConsentChanged: Event {
  public static let opcode = Opcode(.request, 0xAA)
  public static var way: EventWay { .stream }
  /// Who may send without asking, or might.
  public var sender = PlayerID()
  /// Who has given the consent.
  public var recipient = PlayerID()
  public var isGiven = false
  public init() {}
  public init(sender: PlayerID, recipient: PlayerID, isGiven: Bool) {
    (self.sender, self.recipient, self.isGiven) = (sender, recipient, isGiven)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("sender", &sender)
    visit.field("recipient", &recipient)
    visit.field("isGiven", &isGiven)
  }
}
