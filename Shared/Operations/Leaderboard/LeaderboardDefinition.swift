public import Wire

/// A board as its developer declares it, field by field as in the file for `muster apply`.
public struct LeaderboardDefinition: Message, Hashable {
  public var board = ""
  public var title = ""
  public var sortOrder = ScoreOrder()
  public var aggregation = ScoreAggregation()
  public var tieRule = ScoreTieRule()
  /// The least and greatest value of one attempt that the board takes, both inclusive.
  public var minimum: Int64?
  public var maximum: Int64?
  public var format = ScoreFormat()
  /// Whether each attempt is kept, as one row in the store only. What needs them: falling back to the
  /// next best attempt when a score is removed.
  public var attempts = AttemptKeeping()
  /// For `days`: for how many days an attempt is kept at least; the next daily round removes it.
  public var attemptDays: UInt32 = 0
  /// A recurring board has a ranking for each occurrence, and none of all time.
  public var recurrence: Recurrence?
  /// Occurrences that stay readable besides the current and the previous one.
  public var olderOccurrencesKept: UInt32 = 0
  /// Whether the board can be asked for the last 24 hours and the last 7 days. Every attempt of the
  /// last 7 days is then in memory and in a row: some 120 bytes each, and for each player with one
  /// about 250 bytes for each window that it is in.
  ///
  /// Windows begin when the board first has them, with what is submitted from then on. Once switched
  /// off, they can come back when nothing of before is left in them, after 7 days.
  public var hasWindows = false
  /// Only the game's own server may submit scores, for any player.
  public var isServerWritten = false
  /// A player may submit so many scores in any so many seconds; 0 stands for any number. The counts
  /// are in memory: they start anew when the service does.
  public var rateCount: UInt32 = 0
  public var rateSeconds: UInt32 = 0
  /// A score comes with a ticket that the server gave out when the run began (`StartRun`), once.
  public var requiresTicket = false
  /// The least time between a ticket and its score.
  public var runSecondsMin: UInt32 = 0
  /// The gaming context that the board belongs to: players submit to it, see it and challenge each
  /// other on it only while they are in that context, and to others it is as if the context did not
  /// exist (`notFound`, context). What a player who left has on it stays. The game's own server and
  /// operators are not asked. Each call of a player then costs a call of the gateway to the context. A
  /// beaten challenge is not issued back by itself.
  public var linkedContext: ContextID?
  /// For how many days back a player's rank at a past date can be asked for (`RankOfPlayer`); 0 for
  /// none, which costs nothing. A history begins when the board first has days for it, and ends with
  /// them.
  ///
  /// Every change of an entry is then two rows in the store more, of about 85 bytes each, for at least
  /// so many days, and 17 to 34 bytes in each of a few levels: log8(changes / 512) + 1 of them. Every
  /// 512 changes the board takes a step to sort them, which reads 512 rows, and one or two to merge
  /// what is sorted, which read 24 rows of 4 KiB; the board's other calls wait for each, others do
  /// not. In memory it is one small row.
  public var historyDays: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("title", &title)
    visit.field("sortOrder", &sortOrder)
    visit.field("aggregation", &aggregation)
    visit.field("tieRule", &tieRule)
    visit.field("minimum", &minimum)
    visit.field("maximum", &maximum)
    visit.field("format", &format)
    visit.field("attempts", &attempts)
    visit.field("attemptDays", &attemptDays)
    visit.field("recurrence", &recurrence)
    visit.field("olderOccurrencesKept", &olderOccurrencesKept)
    visit.field("hasWindows", &hasWindows)
    visit.field("isServerWritten", &isServerWritten)
    visit.field("rateCount", &rateCount)
    visit.field("rateSeconds", &rateSeconds)
    visit.field("requiresTicket", &requiresTicket)
    visit.field("runSecondsMin", &runSecondsMin)
    visit.field("linkedContext", &linkedContext)
    visit.field("historyDays", &historyDays)
  }
}

extension LeaderboardDefinition {
  /// The first rule that the definition breaks by itself.
  public var fault: Failure? {
    if let fault = LeaderboardName.fault(of: board) { return fault }
    guard title.utf8.count <= LeaderboardLimits.titleBytesMax else {
      return Failure(
        .invalidArgument, argument: "title",
        "A title has at most \(LeaderboardLimits.titleBytesMax) bytes.")
    }
    guard sortOrder.isKnown else { return .unknownTerm("sortOrder", sortOrder) }
    guard aggregation.isKnown else { return .unknownTerm("aggregation", aggregation) }
    guard tieRule.isKnown else { return .unknownTerm("tieRule", tieRule) }
    guard format.isKnown else { return .unknownTerm("format", format) }
    if let minimum, let maximum, minimum > maximum {
      return Failure(
        .invalidArgument, argument: "minimum", "The minimum is greater than the maximum.")
    }
    if linkedContext?.isNil == true {
      return Failure(
        .invalidArgument, argument: "linkedContext", "The nil context is no context to link to.")
    }
    return keepingFault ?? trustFault
  }

  /// The first of the rules that decide ranks, or who has one, in which the two differ, by its
  /// field's name.
  public func rankingDifference(from other: Self) -> String? {
    if sortOrder != other.sortOrder { return "sortOrder" }
    if aggregation != other.aggregation { return "aggregation" }
    if tieRule != other.tieRule { return "tieRule" }
    if recurrence != other.recurrence { return "recurrence" }
    if linkedContext != other.linkedContext { return "linkedContext" }
    return nil
  }

  /// True for a board that is a ranking of all time and nothing else: it pays for nothing else.
  public var isPlain: Bool {
    attempts == .none && recurrence == nil && !hasWindows && !isServerWritten && rateCount == 0
      && !requiresTicket && historyDays == 0
  }

  @inlinable
  public func accepts(_ value: Int64) -> Bool {
    if let minimum, value < minimum { return false }
    if let maximum, value > maximum { return false }
    return true
  }
}

/// What a board may be called.
public enum LeaderboardName {
  public static func fault(of name: String) -> Failure? {
    guard !name.isEmpty else {
      return Failure(.requiredArgument, argument: "board", "The board's name is missing.")
    }
    let isValid =
      name.utf8.count <= LeaderboardLimits.boardNameBytesMax && name.utf8.allSatisfy(isAllowed)
    return isValid
      ? nil
      : Failure(
        .invalidArgument, argument: "board",
        "A board's name has 1 to \(LeaderboardLimits.boardNameBytesMax) letters (a to z, A to Z), "
          + "digits, dots, underscores or hyphens.")
  }

  static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      return true
    default: return false
    }
  }
}

extension Failure {
  static func unknownTerm<Term: OpenEnum>(_ argument: String, _ value: Term) -> Failure {
    Failure(.invalidArgument, argument: argument, "The \(argument) \(value) is not known.")
  }
}
