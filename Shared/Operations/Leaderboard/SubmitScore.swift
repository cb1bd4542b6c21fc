public import Wire

/// Sent by a player, or by a game's server for a player: submits one attempt. The server dates it,
/// brings the player's entry up to date by the board's aggregation, and completes the player's open
/// challenges that the attempt meets, even if the entry does not improve. The attempt meets a
/// challenge whose value is equal to or worse than its own (on a board of sums, than the new sum).
/// On a recurring board the entry is that of the open occurrence.
///
/// Errors: `requiredArgument` (board, value, player, ticket), `invalidArgument` (value outside the
/// board's limits or a sum that would overflow; player; ticket; eligibility; eligibleChallenges),
/// `notFound` (board; ticket that this board never gave out or that is too old; context when the
/// board is linked to one that the player is not in; player when a game's server names one who does
/// not exist), `notAllowed` (a board that only the game's server writes; a banned player; another
/// player's ticket), `alreadyExists` (a ticket that was used), `notOpen` (between two occurrences;
/// a ticket younger than the least time of a run), `rateLimited`. Cost: O(log n); one row if the
/// entry changes; one row more if the board keeps attempts, and one more if it has windows; one row
/// and four effects for each completed challenge.
public struct SubmitScore: Operation {
  public static let opcode = Opcode(.leaderboard, 0x12)
  public static var access: Access { [.player, .gameServer] }
  public static var routing: Routing { .firstName }
  public var board = ""
  /// The value of the attempt. A missing value is an error, and is not the same as 0.
  public var value: Int64?
  /// A number of the game's own, which stays with the score. GameKit calls it the score's context.
  public var scoreTag: UInt64 = 0
  public var eligibility = ChallengeEligibility()
  /// For `listed`: the only challenges that the attempt may complete. An empty list completes none.
  public var eligibleChallenges: [ChallengeID] = []
  /// For the game's own server: the player whose score it is. Players submit their own only.
  public var player: PlayerID?
  /// For a board that requires tickets: the ticket from `StartRun`.
  public var ticket: TicketID?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("value", &value)
    visit.field("scoreTag", &scoreTag)
    visit.field("eligibility", &eligibility)
    visit.field("eligibleChallenges", &eligibleChallenges)
    visit.field("player", &player)
    visit.field("ticket", &ticket)
  }

  public struct Reply: Message {
    /// The player's entry after the attempt, with its rank among all players.
    public var entry = LeaderboardEntry()
    /// Whether the entry is the player's first, or its value is better than before.
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

  /// The report may complete every challenge.
  public static let all = Self(rawValue: 0)
  /// The report may complete only the challenges that it lists; an empty list completes none.
  public static let listed = Self(rawValue: 1)

  public static let names = ["all", "listed"]
}

extension SubmitScore {
  /// The first rule that the call breaks, as far as the call alone shows it; nil when there is
  /// none.
  public var fault: Failure? {
    if board.isEmpty { return LeaderboardName.fault(of: board) }
    guard value != nil else {
      return Failure(.requiredArgument, argument: "value", "The score has no value.")
    }
    return eligibility.fault(listing: eligibleChallenges)
  }
}

extension ChallengeEligibility {
  /// Returns what is wrong with a report that lists these challenges; nil when nothing is.
  func fault(listing challenges: [ChallengeID]) -> Failure? {
    guard isKnown else { return .unknownTerm("eligibility", self) }
    if challenges.isEmpty { return nil }
    guard self == .listed, challenges.count <= LeaderboardLimits.openChallengesPerReceiverMax
    else {
      return Failure(
        .invalidArgument, argument: "eligibleChallenges",
        "Eligible challenges go with `listed` only, and there are at most "
          + "\(LeaderboardLimits.openChallengesPerReceiverMax).")
    }
    return nil
  }
}
