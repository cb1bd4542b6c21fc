public import Wire

/// Stands in the stream where events were not kept, because too many of their sender or their game
/// were unread, which means not acknowledged. What they were about can be read: lists are the
/// truth. The sender is not named.
public struct EventsDropped: Event {
  public static let opcode = Opcode(.request, 0xA6)
  public static var way: EventWay { .stream }
  /// Events that were dropped here since the last time that this was told.
  public var count: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("count", &count)
  }
}
