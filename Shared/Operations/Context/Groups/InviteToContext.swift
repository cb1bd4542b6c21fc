public import Wire

/// Sent by a player in a group: invites friends. An invited player counts in the group's size, gets
/// a `ContextInvitation` in the stream, enters with `SwitchContext` and declines with
/// `LeaveContext`.
///
/// Every active player may invite, but where the policy is `byRequest` only the owner and
/// moderators may. Only these bring back somebody who was removed.
///
/// Errors, in this order: `requiredArgument` (context), `requiredArgument` (players) for an empty
/// list, `limitReached` (players) for more than 20, `notFound` (context) as with `SwitchContext`,
/// `notAllowed` (context) when it is no group or the caller may not invite to it, `rateLimited`
/// over the caller's budget of invitations in this group or in all groups. Whom a block keeps apart
/// from others in the group is invited all the same, and does not find it on arrival. What becomes
/// of each player is told in `outcomes`; the first ones of the list get the last places. Cost: one
/// context row, two effects for each invited player, and for each other one a summary and an event
/// for each invited player.
public struct InviteToContext: Operation {
  public static let opcode = Opcode(.context, 0x19)
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [
      .fact(FetchFriends.self, at: .caller), .fact(FetchPlayer.self, at: .each("players")),
      .fact(FetchOpenedContexts.self, at: .caller),
    ]
  }
  public var context = ContextID()
  /// Friends of the caller: 1 to 20. One that is named twice is invited once.
  public var players: [PlayerID] = []
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("players", &players)
  }

  public var fault: Failure? {
    if context.isNil {
      return Failure(.requiredArgument, argument: "context", "A context must be named.")
    }
    if players.isEmpty {
      return Failure(.requiredArgument, argument: "players", "Players must be named.")
    }
    return GroupRules.fault(invitees: players)
  }

  /// What became of each invitation, in the order of the call.
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
