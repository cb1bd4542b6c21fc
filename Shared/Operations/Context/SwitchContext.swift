public import Wire

/// Sent by a player: makes one of the caller's contexts the current one. A player who was invited
/// enters the context by this, and the other players get a `ContextPlayerChanged`. Where it is the
/// current one already, the reply says `wasCurrent`: what a client calls `sameContext`. It is no
/// error, because what is known of the current context may be a moment old, and then the call has
/// made it current.
///
/// Errors: `requiredArgument` (context) for the nil id, `notFound` when there is no such context,
/// the caller is not in it, or was invited and is kept apart by a block from somebody who is active
/// in it, which are not told apart. After an error the current context stays as it was. Cost: one
/// context row, one effect for each player of a context that is no group, and for each player of
/// any when the caller enters; two for each other player then.
public struct SwitchContext: Operation {
  public static let opcode = Opcode(.context, 0x12)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] { [.fact(FetchCurrentContext.self, at: .caller)] }
  public var context = ContextID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
  }
}
