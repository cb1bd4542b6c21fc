public import Wire

extension LeaderboardDefinition {
  /// The first fault in the fields that say what the board keeps besides its ranking.
  var keepingFault: Failure? {
    guard attempts.isKnown else { return .unknownTerm("attempts", attempts) }
    guard (attempts == .days) == (attemptDays > 0), attemptDays <= LeaderboardLimits.attemptDaysMax
    else {
      return .invalid(
        "attemptDays",
        "The days go with attempts that are kept for days, and are 1 to "
          + "\(LeaderboardLimits.attemptDaysMax).")
    }
    if let fault = recurrence?.fault { return fault }
    guard olderOccurrencesKept <= LeaderboardLimits.olderOccurrencesMax,
      recurrence != nil || olderOccurrencesKept == 0
    else {
      return .invalid(
        "olderOccurrencesKept",
        "Only a recurring board keeps older occurrences, at most "
          + "\(LeaderboardLimits.olderOccurrencesMax).")
    }
    guard !hasWindows || recurrence == nil else {
      return .invalid("hasWindows", "A recurring board has occurrences in place of windows.")
    }
    guard historyDays <= LeaderboardLimits.historyDaysMax else {
      return .invalid(
        "historyDays", "A history covers at most \(LeaderboardLimits.historyDaysMax) days.")
    }
    guard historyDays == 0 || recurrence == nil else {
      return .invalid("historyDays", "A recurring board has occurrences in place of a history.")
    }
    return nil
  }

  /// The first fault in the fields that say who may submit, and how often.
  var trustFault: Failure? {
    guard (rateCount > 0) == (rateSeconds > 0), rateCount <= LeaderboardLimits.rateCountMax,
      rateSeconds <= LeaderboardLimits.rateSecondsMax
    else {
      return .invalid(
        rateCount > 0 && rateCount <= LeaderboardLimits.rateCountMax ? "rateSeconds" : "rateCount",
        "A rate allows 1 to \(LeaderboardLimits.rateCountMax) scores in 1 to "
          + "\(LeaderboardLimits.rateSecondsMax) seconds.")
    }
    guard requiresTicket || runSecondsMin == 0, runSecondsMin <= LeaderboardLimits.runSecondsMax
    else {
      return .invalid(
        "runSecondsMin",
        "The least time of a run goes with tickets, and is at most "
          + "\(LeaderboardLimits.runSecondsMax) seconds.")
    }
    return nil
  }
}

extension Failure {
  fileprivate static func invalid(_ argument: String, _ text: String) -> Failure {
    Failure(.invalidArgument, argument: argument, text)
  }
}

/// Whether and for how long a board keeps each attempt.
public struct AttemptKeeping: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let none = Self(rawValue: 0)
  public static let days = Self(rawValue: 1)
  public static let forever = Self(rawValue: 2)

  public static let names = ["none", "days", "forever"]
}
