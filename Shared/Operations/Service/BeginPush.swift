public import Wire

/// A request process's own, for the push hook: reads an event that waits for it. One that the
/// player has acknowledged meanwhile, or that is not kept any more, waits no longer.
///
/// Errors: none. Cost: one cold row.
public struct BeginPush: Operation {
  public static let opcode = Opcode(.request, 0x90)
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var sequence: UInt64 = 0
  public var event = EventID()
  /// Since when it was to be pushed, in milliseconds since 1970.
  public var due: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("sequence", &sequence)
    visit.field("event", &event)
    visit.field("due", &due)
  }

  public struct Reply: Message {
    /// The event is not to be pushed, and the other fields are empty.
    public var isWithdrawn = false
    /// When the event happened, in milliseconds since 1970.
    public var time: Int64 = 0
    /// The opcode of the event's message, which `body` holds.
    public var kind: UInt16 = 0
    public var body = Bytes()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("isWithdrawn", &isWithdrawn)
      visit.field("time", &time)
      visit.field("kind", &kind)
      visit.field("body", &body)
    }
  }
}
