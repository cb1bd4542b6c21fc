public import Wire

/// Sent by a player: leaves a context and its match, or declines the invitation to it. The other
/// players stay and get a `ContextPlayerChanged`. When the last player leaves, the context closes.
///
/// Errors: `requiredArgument` (context), `notFound` as with `SwitchContext`. Cost: one context
/// row, at most one match row, two effects for each player.
public struct LeaveContext: Operation {
  public static let opcode = Opcode(.context, 0x13)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
  }
}
