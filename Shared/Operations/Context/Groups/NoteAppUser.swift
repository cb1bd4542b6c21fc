public import Wire

/// An effect of a player's list on a context: the player has signed in to the game by now.
///
/// Cost: one context row, an effect for each player if this changes what their lists show.
public struct NoteAppUser: Operation {
  public static let opcode = Opcode(.context, 0x2D)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("player", &player)
  }
}
