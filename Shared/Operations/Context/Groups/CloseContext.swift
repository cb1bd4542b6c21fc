public import Wire

/// Sent by the owner of a group: closes it for all. Its match ends, it goes from everybody's list,
/// and the others get a `ContextClosed`. A former owner may open it again for 30 days, by default.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context) as with
/// `SwitchContext`, `notAllowed` (context) when it is no group or the caller is not its owner.
/// Cost: one context row, at most one match row, at most two effects for each player.
public struct CloseContext: Operation {
  public static let opcode = Opcode(.context, 0x21)
  public typealias Reply = Empty
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// Whether nobody can open it again. It then does not count among the groups that its first owner
  /// has opened.
  public var isForGood = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("isForGood", &isForGood)
  }
}
