public import Wire

/// A place in a player's event stream: a sequence number, and the identifier of the event that has
/// it. A number alone, with the nil identifier, may be of another past.
public struct StreamPlace: Hashable, Sendable {
  public var sequence: UInt64
  public var event: EventID
  public init(_ sequence: UInt64 = 0, _ event: EventID = EventID()) {
    self.sequence = sequence
    self.event = event
  }
}

/// The ends of a player's event stream: the `detail` of `cursorLost`.
public struct StreamEnds: Message {
  /// Nothing below this sequence number is kept.
  public var oldest: UInt64 = 0
  /// Every event of the session's game up to this sequence number was acknowledged.
  public var acknowledged: UInt64 = 0
  /// The sequence number of the last event; 0 before the first.
  public var newest: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("oldest", &oldest)
    visit.field("acknowledged", &acknowledged)
    visit.field("newest", &newest)
  }
}
