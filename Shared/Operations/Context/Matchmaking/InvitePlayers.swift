public import Wire

/// Sent by a player: invites others to a match. Friends can be invited, and those who are active in
/// the context `party` together with the caller. Each gets a `MatchInvitation`, and the caller a
/// `MatchInviteAnswered` for each answer; who has not answered after a minute (a setting of the
/// deployment) counts as `noAnswer`.
///
/// When all have answered, those who accepted and the caller get a match: at once, or, when the
/// invitation is automatching, by a ticket in the player group for the rest of the seats. Whether
/// it came to either, `MatchInviteEnded` says to all of them. Without automatching nothing comes of
/// fewer than `minPlayers` of the criteria, the caller included.
///
/// With a `match`, those who accept are added to this running match of the context `party` instead,
/// each at once, and `MatchInviteEnded` tells the caller when all have answered; a player who was
/// dropped from it can be invited again.
///
/// A player who blocks the caller gets nothing, and does not answer. The same goes for one who has
/// been invited often lately: by the caller, by friends, or by others.
///
/// Errors, in this order: `requiredArgument` (recipients), `invalidArgument` (recipients, message,
/// playerGroup, minPlayers and the other criteria; recipients: with the caller more than
/// `maxPlayers`), `requiredArgument` (party) where a match is named, `notFound` (party),
/// `notReachable` (recipients) for anyone who is neither a friend nor in that context, or whom the
/// caller blocks, `limitReached` (open invitations), `rateLimited`. Cost: two rows, an effect for
/// each recipient.
public struct InvitePlayers: Operation {
  public static let opcode = Opcode(.context, 0x80)
  public static var needs: [FactNeed] {
    [
      .fact(FetchFriends.self, at: .caller), .fact(FetchBlocks.self, at: .caller),
      .fact(FetchPlayer.self, at: .each("recipients")),
      .fact(FetchParty.self, at: .field("party")),
    ]
  }
  public var recipients: [PlayerID] = []
  public var message = ""
  public var party: ContextID?
  /// The number of the running match to which players are invited; 0 for a new one.
  public var match: UInt64 = 0
  /// Whether seats that stay free are filled by matchmaking.
  public var isAutomatching = false
  /// For matchmaking, and for the game to know.
  public var playerGroup = ""
  public var criteria = MatchCriteria()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("recipients", &recipients)
    visit.field("message", &message)
    visit.field("party", &party)
    visit.field("match", &match)
    visit.field("isAutomatching", &isAutomatching)
    visit.field("playerGroup", &playerGroup)
    visit.field("criteria", &criteria)
  }

  public var fault: Failure? {
    if recipients.isEmpty {
      return Failure(.requiredArgument, argument: "recipients", "A player must be invited.")
    }
    let most = MatchmakingLimits.inviteRecipientsMax
    guard recipients.count <= most, Set(recipients).count == recipients.count,
      !recipients.contains(where: \.isNil)
    else { return .unfit("recipients", "At most \(most) players are invited, each once.") }
    guard message.utf8.count <= MatchmakingLimits.inviteMessageBytesMax else {
      return .unfit(
        "message", "A message has at most \(MatchmakingLimits.inviteMessageBytesMax) bytes.")
    }
    if let fault = TextRules.fault(in: message) {
      return .unfit("message", "The message \(fault).")
    }
    if isAutomatching || !playerGroup.isEmpty,
      let fault = PlayerGroup.fault(of: playerGroup)
    {
      return fault
    }
    if let fault = criteria.fault { return fault }
    guard recipients.count < criteria.maxPlayers else {
      return .unfit("recipients", "More players are invited than the match has room for.")
    }
    if match != 0 && party == nil {
      return Failure(
        .requiredArgument, argument: "party", "The context of the match must be named.")
    }
    return nil
  }

  public struct Reply: Message {
    public var invite = MatchInviteID()
    /// When those who have not answered count as `noAnswer`, in milliseconds since 1970.
    public var expiresAt: Int64 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("invite", &invite)
      visit.field("expiresAt", &expiresAt)
    }
  }
}

/// How a player has answered an invitation to a match.
public struct MatchInviteAnswer: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let pending = Self(rawValue: 0)
  public static let accepted = Self(rawValue: 1)
  public static let declined = Self(rawValue: 2)
  /// The player's client could not take part.
  public static let failed = Self(rawValue: 3)
  /// The player's client is of another version of the game.
  public static let incompatible = Self(rawValue: 4)
  /// The player could not be put together with the others.
  public static let unableToConnect = Self(rawValue: 5)
  public static let noAnswer = Self(rawValue: 6)

  public static let names = [
    "pending", "accepted", "declined", "failed", "incompatible", "unableToConnect", "noAnswer",
  ]
}
