public import Wire

/// An effect of a context on one of its players: brings the player's list of turn-based games up to
/// date. Effects of one context arrive in order, so each names the row that the one before it made.
///
/// Cost: two rows of the player.
public struct RecordTurnGame: Operation {
  public static let opcode = Opcode(.context, 0x58)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var context = ContextID()
  public var number: UInt32 = 0
  public var oldState = TurnListState()
  public var oldSince: Int64 = 0
  public var state = TurnListState()
  public var since: Int64 = 0
  public var isInvited = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("oldState", &oldState)
    visit.field("oldSince", &oldSince)
    visit.field("state", &state)
    visit.field("since", &since)
    visit.field("isInvited", &isInvited)
  }
}
