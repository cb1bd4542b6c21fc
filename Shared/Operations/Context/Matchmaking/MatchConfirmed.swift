public import Wire

/// The answer to a `ConfirmMatch`, from a player's key to the queue: the player blocks none of the
/// others of a match that was found, or whom the player blocks. The answer about a match that is
/// not open any more means nothing.
///
/// Cost: one row; with the last answer the match's rows and an effect or three for each player;
/// after a block, a look at the queue for each ticket.
public struct MatchConfirmed: Operation {
  public static let opcode = Opcode(.context, 0x7A)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var queue = RoutingKey()
  public var match = ContextID()
  public var player = PlayerID()
  /// All whom the player blocks, if one of the match is among them; else nobody.
  public var blocked: [PlayerID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("queue", &queue)
    visit.field("match", &match)
    visit.field("player", &player)
    visit.field("blocked", &blocked)
  }
}
