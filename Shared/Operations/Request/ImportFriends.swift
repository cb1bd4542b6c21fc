public import Wire

/// Sent by an operator who brings players from another system: makes a player a friend of others,
/// on both sides, or notes that the player blocks them. Nobody is asked, and nobody is told: the
/// other system has done both. No budget counts these friends.
///
/// A friendship that either player has ended since `ImportedFriend.since` stays ended, so that
/// repeating the call changes nothing. So does one with a player whom the other blocks.
///
/// Errors: `requiredArgument` (player), `invalidArgument` (friends: none, or more than
/// `FriendLimits.importMax`), `notFound` (player). Cost: a fact of each friend, and a row and an
/// effect for each that is new.
public struct ImportFriends: Operation {
  public static let opcode = Opcode(.request, 0x8E)
  public static var access: Access { .deploymentOperator }
  public static var routing: Routing { .firstIdentifier }
  public var player = PlayerID()
  public var friends: [ImportedFriend] = []
  public init() {}
  public init(of player: PlayerID, _ friends: [ImportedFriend]) {
    self.player = player
    self.friends = friends
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("friends", &friends)
  }

  public var fault: Failure? {
    if player.isNil {
      return Failure(.requiredArgument, argument: "player", "A player is required.")
    }
    if (1...FriendLimits.importMax).contains(friends.count) { return nil }
    return Failure(
      .invalidArgument, argument: "friends",
      "One call brings 1 to \(FriendLimits.importMax) friends.")
  }

  public struct Reply: Message {
    /// One for each friend of the call, in the order of the call. `refusal` is `invalidArgument`
    /// for the player's own id, `notReachable` for an unknown or erased player, `conflict` where
    /// the player blocks the friend, and `limitReached`.
    public var outcomes: [FriendInvitationOutcome] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("outcomes", &outcomes)
    }
  }
}

/// What another system knew of two players.
public struct ImportedFriend: Message, Hashable {
  public var player = PlayerID()
  /// Since when they are friends, in milliseconds since 1970; a time to come counts as now.
  public var since: Int64 = 0
  /// Whether they are not friends, but the one of the call blocks this one.
  public var isBlocked = false
  public init() {}
  public init(_ player: PlayerID, since: Int64, isBlocked: Bool = false) {
    self.player = player
    self.since = since
    self.isBlocked = isBlocked
  }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("since", &since)
    visit.field("isBlocked", &isBlocked)
  }
}
