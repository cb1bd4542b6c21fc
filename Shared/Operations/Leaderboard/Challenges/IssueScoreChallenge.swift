public import Wire

/// Sent by a player: challenges friends to meet the caller's entry on a board, or a worse score
/// that the call names. Each receiver gets a challenge of its own; a receiver who cannot be
/// challenged does not keep the others from being challenged. On a board that is linked to a
/// context, friends who are not in it cannot be reached. On a board of sums it is the receiver's
/// sum that has to meet the score; whoever's sum does so already cannot be challenged.
///
/// A challenge with a named score rests on the caller's entry. When that is removed, the challenge
/// is withdrawn, unless the entry that takes its place is at least as good as the score.
///
/// Errors: `requiredArgument` (board, receivers), `invalidArgument` (receivers, message,
/// lifetimeMilliseconds, scoreTag), `notFound` (board; value when the caller has no entry on it),
/// `notAllowed` (value when it is better than the caller's entry, except an attempt's on a board of
/// sums), `rateLimited` when the caller has issued more challenges on this board than the
/// deployment allows in a row. Cost: one row and three effects for each receiver, and one row for
/// the budget.
public struct IssueScoreChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x20)
  public static var routing: Routing { .firstName }
  public static var needs: [FactNeed] {
    [.fact(FetchFriends.self, at: .caller), .fact(FetchPlayer.self, at: .each("receivers"))]
  }
  public var board = ""
  /// The friends to challenge. A player named twice counts once.
  public var receivers: [PlayerID] = []
  public var message = ""
  /// The time after which the challenges expire if they were not completed; nil: the deployment's,
  /// by default none.
  public var lifetimeMilliseconds: UInt64?
  /// The score to meet; nil: the caller's entry. A score better than the entry is refused.
  public var value: Int64?
  /// The tag of a named `value`; see `SubmitScore.scoreTag`. 0 without one.
  public var scoreTag: UInt64 = 0
  /// Whether `value` is that of a single attempt. On a board of sums the score to meet is then the
  /// caller's entry, because an attempt is only a part of it.
  public var isAttempt = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("receivers", &receivers)
    visit.field("message", &message)
    visit.field("lifetimeMilliseconds", &lifetimeMilliseconds)
    visit.field("value", &value)
    visit.field("scoreTag", &scoreTag)
    visit.field("isAttempt", &isAttempt)
  }

  public struct Reply: Message {
    /// One outcome for each receiver, in the order of the call.
    public var outcomes: [ChallengeOutcome] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("outcomes", &outcomes)
    }
  }

  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    guard !receivers.isEmpty else {
      return Failure(.requiredArgument, argument: "receivers", "The challenge has no receivers.")
    }
    guard receivers.count <= LeaderboardLimits.challengeReceiverCountMax else {
      return Failure(
        .invalidArgument, argument: "receivers",
        "A call has at most \(LeaderboardLimits.challengeReceiverCountMax) receivers.")
    }
    return ChallengeRules.fault(message: message)
      ?? ChallengeRules.fault(lifetimeMilliseconds: lifetimeMilliseconds) ?? tagFault
  }
}

extension IssueScoreChallenge {
  private var tagFault: Failure? {
    if value != nil || scoreTag == 0 { return nil }
    return Failure(
      .invalidArgument, argument: "scoreTag",
      "Without a value the challenge has the tag of the entry, and takes no other.")
  }
}

/// What became of a challenge for one receiver.
public struct ChallengeOutcome: Message, Hashable {
  public var receiver = PlayerID()
  /// The issued challenge; nil when none was issued, and `refusal` then says why.
  public var challenge: ChallengeID?
  public var refusal = ChallengeRefusal()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("receiver", &receiver)
    visit.field("challenge", &challenge)
    visit.field("refusal", &refusal)
  }
}

/// Why a receiver got no challenge.
public struct ChallengeRefusal: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  /// The receiver is the caller.
  public static let oneself = Self(rawValue: 1)
  /// The receiver is not a friend, has blocked the caller, is unknown or was erased; these are not
  /// told apart.
  public static let notReachable = Self(rawValue: 2)
  /// The receiver has as many open challenges as allowed, on the board or from this issuer.
  public static let limitReached = Self(rawValue: 3)

  /// The receiver has earned the achievement, and it is not replayable.
  public static let alreadyEarned = Self(rawValue: 4)
  /// The achievement is hidden, and the receiver has not reported it yet.
  public static let hidden = Self(rawValue: 5)

  /// On a board of sums, the receiver's sum meets the target already. A score in quarantine counts
  /// in it, because it will be in the sum again when it is released.
  public static let alreadyMet = Self(rawValue: 6)

  public static let names = [
    "none", "self", "notReachable", "limitReached", "alreadyEarned", "hidden", "alreadyMet",
  ]
}
