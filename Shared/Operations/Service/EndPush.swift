public import Wire

/// A request process's own, for the push hook: an event waits for it no longer, or until a later
/// time. Where it does not wait at `due` any more, nothing changes.
///
/// Errors: none. Cost: three cold rows.
public struct EndPush: Operation {
  public static let opcode = Opcode(.request, 0x91)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var sequence: UInt64 = 0
  public var event = EventID()
  /// Since when it was to be pushed, in milliseconds since 1970.
  public var due: Int64 = 0
  /// When the next attempt may be made; 0 when there is to be none.
  public var nextDue: Int64 = 0
  /// How many attempts have failed.
  public var attempts: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("sequence", &sequence)
    visit.field("event", &event)
    visit.field("due", &due)
    visit.field("nextDue", &nextDue)
    visit.field("attempts", &attempts)
  }
}
