package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let challengeLifetime = NumberSetting(
    "challenge-lifetime-days", .days, default: 0, 0...3650,
    "How long a challenge to which its issuer gives no lifetime can be met; 0: it never expires.")
}

/// Challenges with a date past which nobody can complete them. From that moment they count as ended;
/// a timer at the key that owns the challenge writes it down and tells both players.
final class ChallengeExpiry: CorePart {
  private let boards: Boards
  private let openChallenges: OpenChallenges
  private let achievementChallenges: AchievementChallenges

  init(
    _ boards: Boards, _ openChallenges: OpenChallenges,
    _ achievementChallenges: AchievementChallenges
  ) {
    self.boards = boards
    self.openChallenges = openChallenges
    self.achievementChallenges = achievementChallenges
  }

  func register(_ router: inout Router) { router.on(ExpireChallenge.self, expireChallenge) }

  private func expireChallenge(
    _ operation: ExpireChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    if let board = boards[operation.key],
      let row = openChallenges.received(by: operation.receiver, on: board)
        .first(where: { $0.challenge.id == operation.challenge }),
      let state = row.challenge.stateAfterExpiry(at: transaction.now)
    {
      let challenge = openChallenges.end(row, as: state, board, &transaction)
      transaction.tellBoth(ChallengeExpired(challenge), of: challenge, in: call.game)
    } else if operation.key == RoutingKey(reinterpreting: operation.receiver) {
      achievementChallenges.expire(operation, call, &transaction)
    }
    return Empty()
  }
}

extension Challenge {
  /// Sets the expiry date, counted from the issue date.
  ///
  /// - Parameter lifetime: in milliseconds; 0 stands for the deployment's.
  mutating func setExpiry(after lifetime: UInt64, _ settings: SettingValues) {
    setExpiry(after: lifetime == 0 ? UInt64(settings[.challengeLifetime]) : lifetime)
  }

  /// The state after the challenge's end; nil before its date, or when it has ended otherwise.
  func stateAfterExpiry(at now: Int64) -> ChallengeState? {
    isOver(at: now) ? state.after(.expire) : nil
  }
}

extension Transaction {
  /// - Parameter key: what owns the challenge.
  mutating func setExpiry(of challenge: Challenge, at key: RoutingKey, game: String) {
    guard let date = challenge.expiryDate else { return }
    setTimer(
      ExpireChallenge(challenge, at: key), on: key, item: RoutingKey(reinterpreting: challenge.id),
      at: date, game: game)
  }

  /// Does the same at the start, where the timer is missing.
  mutating func ensureExpiry(of challenge: Challenge, at key: RoutingKey, game: String) {
    guard let date = challenge.expiryDate else { return }
    ensureTimer(
      ExpireChallenge(challenge, at: key), on: key, item: RoutingKey(reinterpreting: challenge.id),
      by: date, game: game)
  }

  mutating func cancelExpiry(of challenge: Challenge, at key: RoutingKey) {
    if challenge.expiryDate == nil { return }
    cancelTimer(ExpireChallenge.self, on: key, item: RoutingKey(reinterpreting: challenge.id))
  }
}

extension ExpireChallenge {
  fileprivate init(_ challenge: Challenge, at key: RoutingKey) {
    self.init()
    self.key = key
    receiver = challenge.receiver
    self.challenge = challenge.id
  }
}
