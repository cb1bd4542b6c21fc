import Operations
import Wire

/// A leaderboard as simply as it can be: a dictionary that is sorted when somebody asks.
struct BoardModel {
  struct Entry {
    var player: PlayerID
    var value: Int64
    var context: UInt64
    var arrival: Int
  }

  struct Issued {
    var issuer: PlayerID
    var receiver: PlayerID
    var value: Int64
    var state = ChallengeState.pending
  }

  let definition: LeaderboardDefinition
  private(set) var challenges: [ChallengeID: Issued] = [:]
  private var entries: [PlayerID: Entry] = [:]
  private var arrivals = 0

  init(_ definition: LeaderboardDefinition) { self.definition = definition }

  /// The challenges that the score meets.
  mutating func submit(_ player: PlayerID, _ score: SubmitScore) -> Set<ChallengeID> {
    let attempt = score.value ?? 0
    var value = attempt
    var isKept = true
    if let old = entries[player] {
      switch definition.aggregation {
      case .best: isKept = isBetter(attempt, old.value)
      case .sum:
        value = old.value + attempt
        isKept = attempt != 0
      default: break
      }
    }
    if isKept {
      arrivals += 1
      entries[player] = Entry(
        player: player, value: value, context: score.context, arrival: arrivals)
    }
    let met = challenges.filter { id, challenge in
      challenge.receiver == player && challenge.state.isOpen
        && !isBetter(challenge.value, value)
        && (score.eligibility == .all || score.eligibleChallenges.contains(id))
    }.keys
    for id in met { challenges[id]?.state = .completed }
    return Set(met)
  }

  mutating func issue(_ issuer: PlayerID, _ reply: IssueScoreChallenge.Reply) {
    for outcome in reply.outcomes {
      guard let id = outcome.challenge, let own = entries[issuer] else { continue }
      challenges[id] = Issued(issuer: issuer, receiver: outcome.receiver, value: own.value)
    }
  }

  mutating func set(_ state: ChallengeState, _ challenge: ChallengeID) {
    challenges[challenge]?.state = state
  }

  /// Everybody in order, with the rank that the tie rule gives.
  var ranking: [(rank: Int, entry: Entry)] {
    let sorted = entries.values.sorted { left, right in
      left.value == right.value
        ? left.arrival < right.arrival : isBetter(left.value, right.value)
    }
    return sorted.enumerated().map { position, entry in
      let first = sorted.firstIndex { $0.value == entry.value } ?? position
      return (definition.tieRule == .sharedRank ? first + 1 : position + 1, entry)
    }
  }

  private func isBetter(_ left: Int64, _ right: Int64) -> Bool {
    definition.sortOrder == .lowFirst ? left < right : left > right
  }
}
