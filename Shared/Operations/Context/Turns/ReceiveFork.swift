public import Wire

/// An effect of a game that is forked, on the new context: the game as it begins, or moves of it.
/// With the last part the game begins.
///
/// Cost: a row for each move; with the last part, what `StartTurnGame` costs.
public struct ReceiveFork: Operation {
  public static let opcode = Opcode(.context, 0x5D)
  public typealias Reply = Empty
  public static var access: Access { .service }
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// The game's row, in the first part.
  public var head = Bytes()
  /// The public state, in the first part.
  public var state = Bytes()
  /// Rows of moves.
  public var moves: [Bytes] = []
  public var isLast = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("head", &head)
    visit.field("state", &state)
    visit.field("moves", &moves)
    visit.field("isLast", &isLast)
  }
}
