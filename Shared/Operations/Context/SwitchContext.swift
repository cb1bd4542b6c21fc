public import Wire

/// Sent by a player: makes one of the caller's contexts the current one. A player who was invited
/// enters the context by this, and the other players get a `ContextPlayerChanged`.
///
/// Errors: `requiredArgument` (context) for the nil id, `notFound` when there is no such
/// context or the caller is not in it, which are not told apart. After an error the current context
/// stays as it was. Cost: one context row, one effect for each player, one more for each other
/// player when the caller enters.
public struct SwitchContext: Operation {
  public static let opcode = Opcode(.context, 0x12)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
  }
}
