public import Wire

/// A player challenges friends to meet the entry that the player has on a board. Each receiver gets a
/// challenge of its own; whoever cannot get one does not keep the others from theirs. On a board that is
/// linked to a context, friends who are not in it cannot be reached.
///
/// Errors: `requiredArgument` (board, receivers), `invalidArgument` (receivers, message,
/// lifetimeMilliseconds), `notFound` (board; value when the caller has no entry on it). Cost: per receiver one row and three effects.
public struct IssueScoreChallenge: Operation {
  public static let opcode = Opcode(.leaderboard, 0x20)
  public static var routing: Routing { .firstName }
  public static var needs: [FactNeed] { [.fact(FetchFriends.self, at: .caller)] }
  public var board = ""
  /// A player named twice counts once.
  public var receivers: [PlayerID] = []
  public var message = ""
  /// After so long without completion they expire; 0 is never.
  public var lifetimeMilliseconds: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("receivers", &receivers)
    visit.field("message", &message)
    visit.field("lifetimeMilliseconds", &lifetimeMilliseconds)
  }

  public struct Reply: Message {
    /// One for each receiver, in the order of the call.
    public var outcomes: [ChallengeOutcome] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("outcomes", &outcomes)
    }
  }

  /// The first rule that the call breaks by itself.
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
      ?? ChallengeRules.fault(lifetimeMilliseconds: lifetimeMilliseconds)
  }
}

/// What became of a challenge for one receiver.
public struct ChallengeOutcome: Message, Hashable {
  public var receiver = PlayerID()
  /// Nil when none was issued; `refusal` then says why.
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
  /// Nobody challenges oneself.
  public static let oneself = Self(rawValue: 1)
  /// Not a friend, blocked, unknown or erased, which are not told apart.
  public static let notReachable = Self(rawValue: 2)
  /// The receiver has as many open challenges on the board as there may be, from this issuer or in all.
  public static let limitReached = Self(rawValue: 3)

  /// The receiver has the achievement, which is not replayable.
  public static let alreadyEarned = Self(rawValue: 4)
  /// The receiver does not know of the achievement yet.
  public static let hidden = Self(rawValue: 5)

  public static let names = [
    "none", "self", "notReachable", "limitReached", "alreadyEarned", "hidden",
  ]
}
