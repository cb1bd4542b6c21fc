public import Wire

/// An effect of a queue on each player of a match that was found: asks whether the player blocks
/// one of those with whom the player would be put together. The answer is a `MatchConfirmed`.
///
/// The player's key decides, where a block holds from when it was acknowledged: a match whose
/// players have all confirmed was found before every block that comes later.
///
/// Cost: a look at an edge for each of the others, one effect.
public struct ConfirmMatch: Operation {
  public static let opcode = Opcode(.request, 0x78)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var queue = RoutingKey()
  public var match = ContextID()
  /// The players of the match's other tickets.
  public var others: [PlayerID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("queue", &queue)
    visit.field("match", &match)
    visit.field("others", &others)
  }
}
