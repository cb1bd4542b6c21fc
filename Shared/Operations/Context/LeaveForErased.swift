public import Wire

/// An effect of the context service on itself: whoever has taken the place of an erased player
/// leaves the context, with its match and its turn-based game, or takes a request to join back.
///
/// Errors: none; who is not there has left. Cost: as `LeaveContext`.
public struct LeaveForErased: Operation {
  public static let opcode = Opcode(.context, 0x90)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The stand-in of the player.
  public var player = PlayerID()
  public init() {}
  public init(_ context: ContextID, _ player: PlayerID) {
    (self.context, self.player) = (context, player)
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("player", &player)
  }
}
