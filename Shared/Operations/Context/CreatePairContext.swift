public import Wire

/// Sent by a player: creates the context of the caller and a friend, or switches into it if it
/// exists; a closed one opens again as a new generation. It becomes the caller's current context.
///
/// The friend is invited, unless the friend is already in it: the context appears in the friend's
/// list, and the friend's stream gets a `ContextInvitation`.
///
/// Errors, in this order: `requiredArgument` (player) for the nil id, `invalidArgument`
/// (player) for the caller's own, `notReachable` for anyone who is not a friend or who blocks the
/// caller. Cost: one context row, at most four effects.
public struct CreatePairContext: Operation {
  public static let opcode = Opcode(.context, 0x11)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .pair }
  public static var needs: [FactNeed] {
    [.fact(FetchFriends.self, at: .caller), .fact(FetchPlayer.self, at: .field("player"))]
  }
  public var player = PlayerID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}
