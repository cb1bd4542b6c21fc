public import Wire

/// An effect of the service itself on the key of a new context: opens it with these players in it,
/// as `matched`, for a match or a game that they are to play.
///
/// Cost: one context row, and an effect for each player.
public struct OpenContext: Operation {
  public static let opcode = Opcode(.context, 0x1D)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// Invited or active; the first one is the owner.
  public var players: [ContextPlayer] = []
  /// Among whose opened contexts it counts; nil for nobody's.
  public var opener = PlayerID()
  /// For a match that was found: with how many players it may begin when not all of them come. 0
  /// when nobody is waited for.
  public var needed: UInt32 = 0
  /// By which those who did come wait again when they are too few, as of now; the oldest first.
  public var tickets: [PlaceTicket] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("players", &players)
    visit.field("opener", &opener)
    visit.field("needed", &needed)
    visit.field("tickets", &tickets)
  }
}
