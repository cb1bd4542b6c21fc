public import Wire

/// Sent by a player: creates a context with the caller alone in it, and makes it the caller's
/// current one.
///
/// The gateway makes the context's id from the idempotency key, so a retry finds the same context.
/// The caller's list and current context follow a moment later, through the outbox.
///
/// Errors: `limitReached` (context) when the caller is in 1,000 solo contexts. Cost: one context
/// row, two effects.
public struct CreateSoloContext: Operation {
  public static let opcode = Opcode(.context, 0x10)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .fresh }
  public static var needs: [FactNeed] { [.fact(FetchOpenedContexts.self, at: .caller)] }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
