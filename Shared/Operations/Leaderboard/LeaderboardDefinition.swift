public import Wire

/// A board as its developer declares it, field by field as in the file for `muster apply`.
public struct LeaderboardDefinition: Message, Hashable {
  public var board = ""
  public var title = ""
  public var sortOrder = ScoreOrder()
  public var aggregation = ScoreAggregation()
  public var tieRule = ScoreTieRule()
  /// The least value that the board takes for one attempt.
  public var minimum: Int64?
  /// The greatest value that the board takes for one attempt.
  public var maximum: Int64?
  public var format = ScoreFormat()
  /// Whether each attempt is kept; a kept attempt is one row in the store and nothing in memory.
  /// Falling back to the next best attempt when a score is removed needs them, and so does a
  /// re-rank by another aggregation. If none are kept any more, those of before leave the store.
  public var attempts = AttemptKeeping()
  /// For `days`: the days that an attempt is kept at least. The daily round after that removes it.
  public var attemptDays: UInt32 = 0
  /// When the board starts anew. A recurring board has a ranking for each occurrence, and none of
  /// all time.
  public var recurrence: Recurrence?
  /// Occurrences that stay readable besides the current and the previous one.
  public var olderOccurrencesKept: UInt32 = 0
  /// Whether the board can be asked for the last 24 hours and the last 7 days. Every attempt of the
  /// last 7 days is then in memory and in a row, at about 120 bytes each; and each player in a
  /// window costs about 250 bytes more for that window.
  ///
  /// A window begins empty when it is switched on, and fills with later attempts. Once switched
  /// off, windows can be switched on again when they are empty, which is after 7 days.
  public var hasWindows = false
  /// Whether only the game's own server may submit scores. It may do so for every player who
  /// exists.
  public var isServerWritten = false
  /// The most scores that a player may submit in any `rateSeconds`; 0: any number. The counts are
  /// in memory, so they start anew when the service does.
  public var rateCount: UInt32 = 0
  /// The seconds that `rateCount` is about.
  public var rateSeconds: UInt32 = 0
  /// Whether each score needs a ticket, which the server gives out when the run begins (`StartRun`)
  /// and takes once.
  public var requiresTicket = false
  /// The least time between a ticket and its score.
  public var runSecondsMin: UInt32 = 0
  /// The gaming context that the board belongs to. Players submit to the board, see it and
  /// challenge each other on it only while they are in that context; for other players the context
  /// does not exist (`notFound`, context). The entries of a player who left stay. The game's own
  /// server and operators need not be in it. Each call of a player costs a call of the gateway to
  /// the context service. A beaten challenge is not issued back.
  public var linkedContext: ContextID?
  /// How many days back a player's rank at a past date can be asked for (`RankOfPlayer`); 0 for no
  /// history, which costs nothing. A history begins when the days are set, and ends when they are
  /// 0.
  ///
  /// Each change of an entry then costs two rows more in the store, of about 85 bytes each, for at
  /// least so many days, and 17 to 34 bytes in each of log8(changes / 512) + 1 levels. Every 512
  /// changes the board takes one step to sort them, which reads 512 rows, and one or two steps to
  /// merge sorted changes, which read 24 rows of 4 KiB. The board's other calls wait for each step;
  /// those of other boards do not. In memory a history is one small row.
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
  /// The first rule that the definition breaks, as far as the definition alone shows it; nil when
  /// there is none.
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

  /// Returns the name of the first field that decides ranks, or who has one, in which the two
  /// definitions differ; nil when there is none.
  public func rankingDifference(from other: Self) -> String? {
    if sortOrder != other.sortOrder { return "sortOrder" }
    if aggregation != other.aggregation { return "aggregation" }
    if tieRule != other.tieRule { return "tieRule" }
    if recurrence != other.recurrence { return "recurrence" }
    if linkedContext != other.linkedContext { return "linkedContext" }
    return nil
  }

  /// Whether the board is one ranking of all time and has nothing that costs more: no attempts, no
  /// windows, no recurrence, no history and no checks of who submits.
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

/// The rules for a board's name.
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
