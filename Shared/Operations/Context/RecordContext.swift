public import Wire

/// An effect of a context on each of its players: what the player's own list and current context
/// should now say. Effects of one context arrive in order; those of different contexts may not, so
/// the current context goes by `time`.
///
/// Cost: one or two rows of the player.
public struct RecordContext: Operation {
  public static let opcode = Opcode(.context, 0x1F)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var info = ContextInfo()
  /// False removes the context from the list, and clears it where it is the current one.
  public var isMember = false
  /// True makes the context the player's current one.
  public var isEntered = false
  /// When the context changed, in milliseconds since 1970.
  public var time: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("info", &info)
    visit.field("isMember", &isMember)
    visit.field("isEntered", &isEntered)
    visit.field("time", &time)
  }
}
