public import Wire

/// Sent by a player: enters a group under its join policy and makes it the current context, or asks
/// to be let in where the policy is `byRequest`. In the reply the caller's own state says which of
/// the two. Whoever is in the context or invited enters it, as with `SwitchContext`. Asking twice
/// is harmless; `LeaveContext` takes the request back.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context) when there is no such
/// group, when it is closed, when its policy or the link does not let the caller in, when the
/// caller was removed from it, and when the caller and somebody in it are kept apart by a block,
/// none of which are told apart, nor by the time of the answer, but for what it costs to ask more
/// players than one; `limitReached` (context) when the group is full or has 100 open requests,
/// `rateLimited` for more than a few requests, or for joining again and again. Cost: one context
/// row, a fact of each player of the group, and as `SwitchContext`.
public struct JoinContext: Operation {
  public static let opcode = Opcode(.context, 0x18)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] { [.fact(FetchBlocks.self, at: .caller)] }
  public var context = ContextID()
  /// The secret of the group's link, where its policy is `byLink`; nil elsewhere.
  public var link = ContextLink()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("link", &link)
  }
}
