import MusterKit

extension Challenge {
  fileprivate var goal: String {
    board.isEmpty ? "to earn \(achievement)" : "to meet \(value) on \(board)"
  }

  /// As in "your challenge to Ben to meet 1000 on high-score".
  fileprivate func name(_ reading: Reading) -> String {
    "\(reading.whose(issuer)) challenge to \(reading.who(receiver)) \(goal)"
  }
}

extension ChallengeReceived: Told {
  func words(_ reading: Reading) -> String {
    "\(reading.who(challenge.issuer)) challenges \(reading.who(challenge.receiver)) "
      + challenge.goal + quoted(challenge.message)
  }
}

extension ChallengeCompleted: Told {
  func words(_ reading: Reading) -> String {
    let how = challenge.board.isEmpty ? "" : ", with \(value)"
    return "\(challenge.name(reading)) is met\(how)"
  }
}

extension ChallengeDeclined: Told {
  func words(_ reading: Reading) -> String { "\(challenge.name(reading)) is declined" }
}

extension ChallengeExpired: Told {
  func words(_ reading: Reading) -> String { "\(challenge.name(reading)) has expired" }
}

extension ChallengeReopened: Told {
  func words(_ reading: Reading) -> String {
    "\(challenge.name(reading)) is open again: the score that met it was removed"
  }
}

extension ChallengeWithdrawn: Told {
  func words(_ reading: Reading) -> String {
    "\(challenge.name(reading)) is withdrawn: a score was removed"
  }
}

extension ChallengeListChanged: Told {
  func words(_ reading: Reading) -> String { "the challenge \(challenge) is \(state)" }
}
