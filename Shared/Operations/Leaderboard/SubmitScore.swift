public import Wire

/// A player submits one attempt. The server dates it, brings the player's entry up to date by the
/// board's aggregation, and completes the player's open challenges that the attempt meets: those
/// with a target equal to or worse than its value (on a board of sums, than the new sum), also when
/// the entry does not improve. On a recurring board the entry is the open occurrence's.
///
/// Errors: `requiredArgument` (board, value, player, ticket), `invalidArgument` (value outside the
/// board's limits or a sum that would overflow; player; ticket; eligibility; eligibleChallenges),
/// `notFound` (board; a ticket that this board never gave out or that is too old; context, on a board
/// that is linked to one that the player is not in), `notAllowed`
/// (a board that only the game's server writes; a banned player; another player's ticket),
/// `alreadyExists` (a ticket that was used), `notOpen` (between two occurrences; a ticket younger
/// than the least time of a run), `rateLimited`. Cost: O(log n); one row if the entry changes,
/// nothing if not; one row more where attempts are kept and one more with windows; per completed
/// challenge one row and four effects.
public struct SubmitScore: Operation {
  public static let opcode = Opcode(.leaderboard, 0x12)
  public static var access: Access { [.player, .gameServer] }
  public static var routing: Routing { .firstName }
  public var board = ""
  /// A score without a value is an error, and no value is a different thing from 0.
  public var value: Int64?
  public var context: UInt64 = 0
  public var eligibility = ChallengeEligibility()
  /// For `listed`: the only challenges that the attempt may complete; none completes none.
  public var eligibleChallenges: [ChallengeID] = []
  /// Whose score it is, from the game's own server; players submit their own only.
  public var player: PlayerID?
  /// For boards that require it: what `StartRun` gave out.
  public var ticket: TicketID?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("value", &value)
    visit.field("context", &context)
    visit.field("eligibility", &eligibility)
    visit.field("eligibleChallenges", &eligibleChallenges)
    visit.field("player", &player)
    visit.field("ticket", &ticket)
  }

  public struct Reply: Message {
    /// The player's entry after the attempt, with its rank among all players.
    public var entry = LeaderboardEntry()
    /// The entry is the player's first, or its value is better than before.
    public var isImproved = false
    public var total: UInt32 = 0
    public var completedChallenges: [ChallengeID] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("entry", &entry)
      visit.field("isImproved", &isImproved)
      visit.field("total", &total)
      visit.field("completedChallenges", &completedChallenges)
    }
  }
}

/// Which open challenges a report may complete.
public struct ChallengeEligibility: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A plain report: all of them.
  public static let all = Self(rawValue: 0)
  /// Only those that the report lists; an empty list stands for nil and none alike.
  public static let listed = Self(rawValue: 1)

  public static let names = ["all", "listed"]
}

extension SubmitScore {
  /// The first rule that the call breaks by itself.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    guard value != nil else {
      return Failure(.requiredArgument, argument: "value", "The score has no value.")
    }
    return eligibility.fault(listing: eligibleChallenges)
  }
}

extension ChallengeEligibility {
  /// What is wrong with a report that lists these challenges.
  func fault(listing challenges: [ChallengeID]) -> Failure? {
    guard isKnown else { return .unknownTerm("eligibility", self) }
    if challenges.isEmpty { return nil }
    guard self == .listed, challenges.count <= LeaderboardLimits.openChallengesPerReceiverMax
    else {
      return Failure(
        .invalidArgument, argument: "eligibleChallenges",
        "Eligible challenges go with `listed` only, and are at most "
          + "\(LeaderboardLimits.openChallengesPerReceiverMax).")
    }
    return nil
  }
}
