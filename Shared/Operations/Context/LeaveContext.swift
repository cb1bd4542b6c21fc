public import Wire

/// Sent by a player: leaves a context and its match, declines the invitation to it, or takes back
/// the request to be let in. The other players stay and get a `ContextPlayerChanged`; a leaving
/// owner's role goes to a moderator before others and to an active player before an invited one.
/// When the last player leaves, the context closes; a group does with the last active one, and who
/// was only invited gets a `ContextClosed`.
///
/// Errors: `requiredArgument` (context), `notFound` as with `SwitchContext`. Cost: one context row,
/// at most one match row, two effects for each player.
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
