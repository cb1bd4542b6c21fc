package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let challengeLifetime = NumberSetting(
    "challenge-lifetime-days", .days, default: 0, 0...3650,
    "How long a challenge to which its issuer gives no lifetime can be met; 0: it never expires.")
  package static let challengeLifetimeMin = NumberSetting(
    "challenge-lifetime-min-seconds", .seconds, default: 60, 0...86_400,
    "The least lifetime that an issuer may give to a challenge.")
}

/// Challenges with a date past which nobody can complete them. From that moment they count as
/// ended; a timer at the key that owns the challenge writes it down and tells both players.
struct ChallengeExpiry: CorePart {
  let boards: Boards
  let openChallenges: OpenChallenges
  let achievementChallenges: AchievementChallenges

  func register(_ router: inout Router) { router.on(ExpireChallenge.self, expireChallenge) }

  private func expireChallenge(
    _ operation: ExpireChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    if let board = boards[operation.key],
      let row = openChallenges.received(by: operation.receiver, on: board)
        .first(where: { $0.challenge.id == operation.challenge }),
      let state = row.challenge.stateAfterExpiry(at: transaction.now)
    {
      let challenge = openChallenges.end(row, as: state, board, &transaction)
      openChallenges.tellContext(of: board, &transaction)
      transaction.tellBoth(ChallengeExpired(challenge), of: challenge, in: call.game)
    } else if operation.key == RoutingKey(reinterpreting: operation.receiver) {
      achievementChallenges.expire(operation, call, &transaction)
    }
  }
}

extension Challenge {
  /// Begins a challenge that is issued now.
  ///
  /// - Parameter lifetime: in milliseconds; nil stands for the deployment's.
  init(
    from issuer: PlayerID, to receiver: PlayerID, lifetime: UInt64?, _ settings: SettingValues,
    _ transaction: inout Transaction
  ) {
    self.init()
    id = transaction.identifier()
    self.issuer = issuer
    self.receiver = receiver
    issueDate = transaction.now
    setExpiry(after: lifetime ?? UInt64(settings[.challengeLifetime]))
  }

  /// The state after the challenge's end; nil before its date, or when it has ended otherwise.
  func stateAfterExpiry(at now: Int64) -> ChallengeState? {
    isOver(at: now) ? state.after(.expire) : nil
  }
}

extension SettingValues {
  /// Refuses a lifetime that is shorter than the deployment allows.
  func check(lifetimeMilliseconds: UInt64?) throws(Stop) {
    let least = UInt64(self[.challengeLifetimeMin])
    guard let lifetimeMilliseconds, lifetimeMilliseconds < least else { return }
    throw .invalidArgument(
      "lifetimeMilliseconds", "A challenge lasts for at least \(least) milliseconds here.")
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
