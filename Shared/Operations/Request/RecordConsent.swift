public import Wire

/// An effect of the request service: tells `player` that the other side has given or ended a
/// consent in the call's game. It becomes an event in the player's stream.
///
/// Errors: none. Cost: two rows.
public struct RecordConsent: Operation {
  public static let opcode = Opcode(.request, 0x24)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var other = PlayerID()
  /// Whether `player` is the sender in it, and not the recipient.
  public var isHeld = false
  /// When it was given last, and when it was ended last; milliseconds since 1970.
  public var granted: Int64 = 0
  public var ended: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("other", &other)
    visit.field("isHeld", &isHeld)
    visit.field("granted", &granted)
    visit.field("ended", &ended)
  }
}
