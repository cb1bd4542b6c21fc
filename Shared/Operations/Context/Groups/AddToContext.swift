public import Wire

/// An effect of the service itself on a context that matchmaking has opened: adds players to it.
/// Those who are in it already stay as they are. Players for whom there is no room any more, and
/// all of them if the context is closed, is of another generation or was not opened by matchmaking,
/// are left out.
///
/// Cost: one context row, two effects for each player.
public struct AddToContext: Operation {
  public static let opcode = Opcode(.context, 0x28)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// Of the context; 0 for whichever it is.
  public var generation: UInt32 = 0
  /// Invited or active. They become participants.
  public var players: [ContextPlayer] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("generation", &generation)
    visit.field("players", &players)
  }
}
