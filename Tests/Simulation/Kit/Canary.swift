import Domain
import Operations
import Wire

/// A fault that is built in on purpose, and that the checks must find. A fault in the rules of a
/// core is made by changing the calls on their way to it.
package enum Canary: String, Sendable, CaseIterable {
  /// Batches are reported as durable before they are.
  case earlyRelease
  /// Effects arrive as if from a source that the inbox has never heard of.
  case forgetfulInbox
  /// A session forwards calls in an order other than that of their arrival.
  case overtaking
  /// A session hears late that a service has given a call back, and passes later calls on
  /// meanwhile.
  case lateDemand
  /// A gateway remembers who is in a context, and does not ask again.
  case oldFact
  /// A session's cursor does not move on: an event may be pushed again.
  case stuckCursor
  /// A gateway tells clients that all missed events were pushed, when some were not.
  case untoldReplay
  /// A session gets new events before its client has read those that it missed.
  case earlyLive
  /// All events count as one and the same sender's.
  case greedySender
  /// A cursor that is no place of the stream counts as its end.
  case clampedCursor
  /// A call is repeated under a new key.
  case newKey
  /// Services forget what they answered after a second.
  case shortWindows
  /// Pushed events reach the game unsorted, and with gaps.
  case skippedGap
  /// Effects no longer say which effect they follow, so that they may be applied out of order.
  case lostOrder
  /// Equal values share a rank where they should not, and do not where they should.
  case wrongTies
  /// The last score counts instead of the best.
  case wrongAggregation
  /// A window of a day is one of a week.
  case wrongWindow
  /// Occurrences last for longer than they should.
  case lateEnd
  /// Queries of the previous occurrence get the open one.
  case wrongOccurrence
  /// Challenges never expire.
  case noExpiry
  /// A challenge asks for its issuer's entry, whatever score it names.
  case entryAsTarget
  /// Everybody gets beaten challenges issued back.
  case unasked
  /// A banned player may go on.
  case noBan
  /// Removing an attempt removes all of them.
  case noFallback
  /// Scores need no ticket.
  case noTicket
  /// A report completes challenges that it does not name.
  case allEligible
  /// Match data reaches the game as it comes, past the seat, which acknowledges none of it.
  case unsortedData
  /// Match data counts as acknowledged when the service has taken it, before it has come.
  case lostData
  /// Whoever leaves a match is told so, but stays in it.
  case unheardLeave

  /// Whether it shows in matches alone.
  package var isOfMatches: Bool { [.unsortedData, .lostData, .unheardLeave].contains(self) }
}

extension Canary {
  func spoil(_ request: inout Request) {
    switch self {
    case .wrongTies, .wrongAggregation, .lateEnd, .noTicket:
      change(DefineLeaderboard.self, &request) { spoil(&$0.definition) }
    case .wrongWindow:
      change(TopScores.self, &request) { query in
        if query.period.timeScope == .today { query.period.timeScope = .week }
      }
    case .wrongOccurrence:
      change(TopScores.self, &request) { query in
        if query.period.occurrencesBack == 1 { query.period.occurrencesBack = 0 }
      }
    case .noExpiry:
      change(IssueScoreChallenge.self, &request) { $0.lifetimeMilliseconds = nil }
    case .entryAsTarget:
      change(IssueScoreChallenge.self, &request) { ($0.value, $0.scoreTag) = (nil, 0) }
    case .unasked:
      change(SetChallengePreferences.self, &request) { $0.issuesBack = true }
    case .noBan:
      change(RestrictPlayer.self, &request) { operation in
        if operation.restriction == .ban { operation.restriction = .quarantine }
      }
    case .noFallback:
      change(RemoveScore.self, &request) { $0.fallsBack = false }
    case .allEligible:
      change(SubmitScore.self, &request) { score in
        score.eligibility = .all
        score.eligibleChallenges = []
      }
    case .greedySender:
      change(AppendEvent.self, &request) { $0.sender = PlayerID(high: 1, low: 1) }
    case .unheardLeave: change(LeaveMatch.self, &request) { $0.number = .max }
    default: break
    }
  }

  private func spoil(_ definition: inout LeaderboardDefinition) {
    switch self {
    case .wrongTies:
      definition.tieRule = definition.tieRule == .sharedRank ? .earliestFirst : .sharedRank
    case .wrongAggregation:
      if definition.aggregation == .best { definition.aggregation = .latest }
    case .lateEnd:
      if let recurrence = definition.recurrence {
        definition.recurrence?.duration = recurrence.interval
      }
    default:
      definition.requiresTicket = false
      definition.runSecondsMin = 0
    }
  }

  private func change<O: Operation>(
    _ type: O.Type, _ request: inout Request, _ change: (inout O) -> Void
  ) {
    guard request.opcode == O.opcode, var operation = try? O(decoding: request.body) else { return }
    change(&operation)
    request.body = operation.encoded
  }
}
