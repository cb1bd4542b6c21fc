@testable import MusterKit

/// What a test's server says of boards.
struct BoardAnswers {
  /// Boards that a test declares; others are classic, of whole numbers.
  var declared: [String: DescribeLeaderboard.Reply] = [:]
  var missing: Set<String> = []
  /// The entries of a list of players, two a page; nil leaves them to the test's page.
  var listed: [LeaderboardEntry]?
  /// How many occurrences back the player has an entry.
  var occurrencesWithEntry: Set<UInt32> = []

  mutating func reply(to operation: any Operation) -> Result<any Message, MusterError>? {
    switch operation {
    case let describe as DescribeLeaderboard:
      if missing.contains(describe.board) {
        return .failure(MusterError(.notFound, argument: "board", "No such board."))
      }
      return .success(declared[describe.board] ?? Self.classic(describe.board))
    case let scores as TopScores where scores.scope == .players:
      guard let listed else { return nil }
      var page = ScorePage()
      page.entries = Array(listed.dropFirst(Int(scores.start) - 1).prefix(2))
      page.total = UInt32(listed.count)
      return .success(page)
    case let rank as RankOfPlayer:
      var reply = RankOfPlayer.Reply()
      if occurrencesWithEntry.contains(rank.period.occurrencesBack) {
        reply.entry = LeaderboardEntry()
      }
      return .success(reply)
    default: return nil
    }
  }

  static func classic(_ name: String, _ format: ScoreFormat = .integer)
    -> DescribeLeaderboard.Reply
  {
    var reply = DescribeLeaderboard.Reply()
    (reply.definition.board, reply.definition.title) = (name, "The \(name)")
    reply.definition.format = format
    return reply
  }

  /// A board whose occurrences begin every 100 seconds, from 1000 on, and last for 60 seconds.
  static func recurring(_ name: String, current: Int64, kept: UInt32 = 0)
    -> DescribeLeaderboard.Reply
  {
    var reply = classic(name)
    var recurrence = Recurrence()
    (recurrence.start, recurrence.duration, recurrence.interval) = (1000, 60, 100)
    reply.definition.recurrence = recurrence
    reply.definition.olderOccurrencesKept = kept
    reply.current = occurrence(current)
    reply.previous = current == 0 ? nil : occurrence(current - 1)
    return reply
  }

  private static func occurrence(_ number: Int64) -> Occurrence {
    var occurrence = Occurrence()
    occurrence.number = number
    occurrence.start = (1000 + number * 100) * 1000
    occurrence.end = occurrence.start + 60_000
    return occurrence
  }
}
