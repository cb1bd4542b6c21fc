public import Wire

/// Sent by a player: creates a group with the caller as its owner, and makes it the caller's
/// current context. Friends may be invited with the same call.
///
/// The gateway makes the context's id from the idempotency key, so a retry finds the same context.
///
/// Errors, in this order: `invalidArgument` (sizeMax) outside 2...100, `invalidArgument` (policy)
/// for an unknown one, `invalidArgument` (name) for a name that is too long or breaks the rules for
/// lines of text, `limitReached` (players) for more than 20 friends or more than fit in,
/// `limitReached` (context) when the caller has opened 100 groups that are still kept,
/// `rateLimited` over the caller's budget of invitations in all groups. A friend who cannot be
/// invited is told of in `outcomes`. Cost: one context row, two effects for each invited friend.
public struct CreateGroupContext: Operation {
  public static let opcode = Opcode(.context, 0x17)
  public static var routing: Routing { .fresh }
  public static var needs: [FactNeed] {
    [
      .fact(FetchOpenedContexts.self, at: .caller), .fact(FetchFriends.self, at: .caller),
      .fact(FetchPlayer.self, at: .each("players")),
    ]
  }
  /// Shown to players; may be empty. At most 100 bytes of UTF-8, on one line.
  public var name = ""
  /// The most players that the group can have, the invited ones included: 2 to 100.
  public var sizeMax: UInt32 = 10
  public var policy = JoinPolicy()
  /// Friends to invite: at most 20.
  public var players: [PlayerID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("name", &name)
    visit.field("sizeMax", &sizeMax)
    visit.field("policy", &policy)
    visit.field("players", &players)
  }

  public var fault: Failure? {
    GroupRules.fault(sizeMax: sizeMax) ?? GroupRules.fault(policy: policy)
      ?? GroupRules.fault(name: name) ?? GroupRules.fault(invitees: players)
  }

  /// The new group, and what became of each invitation, in the order of the call.
  public struct Reply: Message {
    public var info = ContextInfo()
    public var outcomes: [ContextInvitee] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("info", &info)
      visit.field("outcomes", &outcomes)
    }
  }
}
