import Operations
import Wire

/// The simplest model of challenges: a dictionary of their states.
struct ChallengeBook {
  /// What completed a challenge.
  struct Completion {
    var value: Int64 = 0
    var context: UInt64 = 0
    /// By a strictly better score.
    var isBeaten = false
  }

  /// The numbers of the attempts that challenges ask to meet.
  var attempts: [ChallengeID: UInt64] = [:]
  private(set) var all: [ChallengeID: Challenge] = [:]
  private(set) var completions: [ChallengeID: Completion] = [:]

  mutating func add(_ challenge: Challenge) throws(Violation) {
    var challenge = challenge
    challenge.attempt = attempts[challenge.id] ?? 0
    guard all.updateValue(challenge, forKey: challenge.id) == nil else {
      throw Violation(description: "challenge \(challenge.id) was issued twice")
    }
  }

  /// A receiver's challenges that have not ended; overdue ones are among them.
  func open(for receiver: PlayerID) -> [Challenge] {
    all.values.filter { $0.receiver == receiver && $0.state.isOpen }
  }

  /// A receiver's challenges that an attempt may complete now.
  func eligible(
    for receiver: PlayerID, at now: Int64, _ eligibility: ChallengeEligibility,
    _ listed: [ChallengeID]
  ) -> [Challenge] {
    open(for: receiver).filter { challenge in
      isInTime(challenge, now) && (eligibility == .all || listed.contains(challenge.id))
    }
  }

  private func isInTime(_ challenge: Challenge, _ now: Int64) -> Bool {
    challenge.expiryDate.map { now < $0 } ?? true
  }

  mutating func complete(_ id: ChallengeID, _ completion: Completion, at now: Int64) {
    all[id]?.state = .completed
    all[id]?.completionDate = now
    completions[id] = completion
  }

  mutating func answer(_ id: ChallengeID, by player: PlayerID, accept: Bool, at now: Int64)
    throws(Violation)
  {
    guard let challenge = all[id], challenge.receiver == player, challenge.state.isOpen,
      isInTime(challenge, now)
    else { throw Violation(description: "\(player) answered challenge \(id), which is not open") }
    all[id]?.state = accept ? .accepted : .declined
  }

  mutating func expire(_ id: ChallengeID, _ now: Int64) {
    guard let challenge = all[id], challenge.state.isOpen, !isInTime(challenge, now) else { return }
    all[id]?.state = .expired
  }

  /// How many challenges one receiver may have open, from all and from one issuer.
  func isFull(_ receiver: PlayerID, from issuer: PlayerID) -> Bool {
    let open = open(for: receiver)
    return open.count >= LeaderboardLimits.openChallengesPerReceiverMax
      || open.count { $0.issuer == issuer } >= LeaderboardLimits.openChallengesPerPairMax
  }

  // MARK: What players are told

  /// Adds the events that players must have got, each once.
  func expect(_ told: inout [String: Int]) {
    for challenge in all.values {
      var issued = challenge
      issued.state = .pending
      issued.completionDate = nil
      told.tell(challenge.receiver, ChallengeReceived(issued))
      switch challenge.state {
      case .completed:
        var event = ChallengeCompleted()
        event.challenge = challenge
        event.value = completions[challenge.id]?.value ?? 0
        event.scoreTag = completions[challenge.id]?.context ?? 0
        told.tell(challenge.issuer, event)
        event.isLocal = true
        told.tell(challenge.receiver, event)
      case .declined: told.tell(challenge.issuer, ChallengeDeclined(challenge))
      case .expired:
        told.tell(challenge.issuer, ChallengeExpired(challenge))
        told.tell(challenge.receiver, ChallengeExpired(challenge))
      default: break
      }
    }
  }
}

extension [String: Int] {
  /// Counts one event of a player's stream. Events that differ in any field are counted apart.
  mutating func tell<E: Event>(_ player: PlayerID, _ event: E) {
    self["\(player) was told \(event)", default: 0] += 1
  }
}
