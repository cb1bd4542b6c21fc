public import Wire

/// Sent by a player who owned a group that is closed now: opens it again as a new generation, with
/// the caller as its owner and alone in it, and makes it the current context. Name, size, policy
/// and linked boards stay, the link is another one. Whoever was removed stays removed.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context) when there is no such
/// closed group, or the caller was not its owner, which are not told apart, `conflict` (context)
/// when the caller is in it and it is open. Cost: one context row, one effect.
public struct ReopenContext: Operation {
  public static let opcode = Opcode(.context, 0x22)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
  }
}
