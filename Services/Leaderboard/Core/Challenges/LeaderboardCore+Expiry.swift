import Domain
import Operations
import Wire

/// Challenges with a date past which nobody can complete them. From that moment they count as ended;
/// time only writes it down and tells both players, a bounded number at each step.
extension LeaderboardCore {
  /// Effects of one step of time.
  private static let expiriesPerTick = 64

  /// Sends an effect to the owner of each challenge whose date has come. The owner ends it: what it
  /// tells then leaves from its own slot, in order with all else about that challenge.
  func sendExpiries(_ transaction: inout Transaction) {
    for _ in 0..<Self.expiriesPerTick {
      guard let entry = expiries.pop(now: transaction.now) else { return }
      transaction.effect(entry.operation, on: entry.operation.key, game: entry.game)
    }
  }

  /// All rows are there: what expires is found again.
  func loadExpiries() {
    for board in boards.values {
      for row in board.openChallenges.values.joined() {
        expiries.push(row.challenge, at: board.key, game: board.row.game)
      }
    }
    for (key, lists) in challengeLists {
      for challenge in lists.received where !challenge.achievement.isEmpty {
        expiries.push(
          challenge, at: RoutingKey(reinterpreting: challenge.receiver), game: key.game)
      }
    }
  }

  func expireChallenge(
    _ operation: ExpireChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    if let board = boards[operation.key],
      let row = board.openChallenges[operation.receiver]?
        .first(where: { $0.challenge.id == operation.challenge }),
      let expired = row.challenge.expired(at: transaction.now)
    {
      board.removeChallenges(of: operation.receiver) { $0.key == row.key }
      transaction.remove(OpenChallengeRow.self, row.key)
      tellLists(expired, board, &transaction)
      tellExpired(expired, call.game, &transaction)
    } else if operation.key == RoutingKey(reinterpreting: operation.receiver),
      let challenge = receivedAchievementChallenges(of: operation.receiver, call.game)
        .first(where: { $0.id == operation.challenge }),
      let expired = challenge.expired(at: transaction.now)
    {
      removeReceived(expired, call.game, &transaction)
      tellIssuersList(expired, call.game, &transaction)
      tellExpired(expired, call.game, &transaction)
    }
    return Empty()
  }

  private func tellExpired(
    _ challenge: Challenge, _ game: String, _ transaction: inout Transaction
  ) {
    for player in [challenge.receiver, challenge.issuer] {
      tell(ChallengeExpired(challenge), player, game, &transaction)
    }
  }
}

extension Challenge {
  /// The challenge after its end; nil before its date, or when it has ended otherwise.
  fileprivate func expired(at now: Int64) -> Challenge? {
    guard isOver(at: now), let state = state.after(.expire) else { return nil }
    var ended = self
    ended.state = state
    return ended
  }
}
