public import Wire

/// Sent by the owner of a group: changes what is given. The others get a `ContextSettingsChanged`
/// when the name, the size or the policy is another one. A change of the policy to `byLink` makes a
/// new link, as `renewsLink` does, and the old one is void. Nobody is told of a link: a moderator
/// reads it by `GetContext` before giving it out.
///
/// Errors, in this order: `requiredArgument` (context), `invalidArgument` (sizeMax, policy, name)
/// as with `CreateGroupContext`, `notFound` (context) as with `SwitchContext`, `notAllowed`
/// (context) when it is no group or the caller is not its owner, `invalidArgument` (sizeMax) below
/// the present size, `rateLimited` over the caller's budget of changes in this group. Cost: one
/// context row, at most two effects for each player.
public struct ChangeContextSettings: Operation {
  public static let opcode = Opcode(.context, 0x1C)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public var context = ContextID()
  /// An empty name takes the name away.
  public var name: String?
  public var sizeMax: UInt32?
  public var policy: JoinPolicy?
  /// Whether the group gets another link; only the new one lets players in from then on.
  public var renewsLink = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("name", &name)
    visit.field("sizeMax", &sizeMax)
    visit.field("policy", &policy)
    visit.field("renewsLink", &renewsLink)
  }

  public var fault: Failure? {
    if context.isNil {
      return Failure(.requiredArgument, argument: "context", "A context must be named.")
    }
    return sizeMax.flatMap { GroupRules.fault(sizeMax: $0) }
      ?? policy.flatMap { GroupRules.fault(policy: $0) }
      ?? name.flatMap { GroupRules.fault(name: $0) }
  }
}
