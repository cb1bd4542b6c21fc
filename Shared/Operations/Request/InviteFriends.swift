public import Wire

/// Sent by a player: asks several players to be friends, such as a list that a game has from
/// elsewhere. Each becomes what `InviteFriend` would make of it, and says what became of it: what
/// is refused for one holds up no other. Repeating it is harmless.
///
/// Errors: `invalidArgument` (players: none, or more than `FriendLimits.importMax`).
/// Cost: a row and an effect for each new invitation.
public struct InviteFriends: Operation {
  public static let opcode = Opcode(.request, 0x8C)
  public var players: [PlayerID] = []
  public init() {}
  public init(_ players: [PlayerID]) { self.players = players }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("players", &players)
  }

  public var fault: Failure? {
    if (1...FriendLimits.importMax).contains(players.count) { return nil }
    return Failure(
      .invalidArgument, argument: "players",
      "One call invites 1 to \(FriendLimits.importMax) players.")
  }

  public struct Reply: Message {
    /// One for each player of the call, in the order of the call; one named twice is there once.
    public var outcomes: [FriendInvitationOutcome] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("outcomes", &outcomes)
    }
  }
}

/// What became of one player of a list.
public struct FriendInvitationOutcome: Message, Hashable {
  public var player = PlayerID()
  /// How the two stand now.
  public var state = FriendState()
  /// Why the player was not invited, as `InviteFriend` would have failed; nil otherwise.
  public var refusal: FailureCode?
  /// With `rateLimited`: the time after which the call may work for this player.
  public var retryAfterMilliseconds: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("state", &state)
    visit.field("refusal", &refusal)
    visit.field("retryAfterMilliseconds", &retryAfterMilliseconds)
  }
}
