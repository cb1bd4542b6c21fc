import MusterKit

enum ChallengeCommands {
  static let all = [
    Command(
      "challenge issue", "BOARD PLAYER...", "challenge friends to meet the player's score",
      options + [
        .init("value", "VALUE", "The score to meet (default the player's own; no better one)."),
        .init("tag", "NUMBER", "The tag of that score, with --value."),
      ]
    ) { session in
      var operation = IssueScoreChallenge()
      operation.board = try session.word(0, "BOARD")
      operation.receivers = try session.arguments.words.dropFirst().map { try session.player($0) }
      operation.message = session.arguments["message"] ?? ""
      operation.lifetimeMilliseconds = try session.lifetime()
      operation.value = try session.arguments["value"].map { try session.integer($0, "--value") }
      operation.scoreTag =
        try session.arguments["tag"].map { try session.integer($0, "--tag") } ?? 0
      try await session.show(operation)
    },
    Command(
      "challenge achieve", "ACHIEVEMENT PLAYER...", "challenge friends to earn an achievement",
      options, run: challengeToAchieve),
    Command(
      "challenge possible", "ACHIEVEMENT [PLAYER]...",
      "which friends can still earn an achievement", run: showPossible),
    Command(
      "challenge received", "", "challenges that the player may still complete", [.cursor]
    ) { session in
      var operation = ReceivedChallenges()
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
    Command("challenge issued", "", "challenges that the player has issued", [.cursor]) { session in
      var operation = IssuedChallenges()
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
    Command(
      "challenge accept", "[BOARD] CHALLENGE", "accept a challenge (no BOARD: an achievement's)"
    ) { session in
      try await answer(session, accept: true)
    },
    Command(
      "challenge decline", "[BOARD] CHALLENGE", "decline a challenge (no BOARD: an achievement's)"
    ) { session in
      try await answer(session, accept: false)
    },
    Command(
      "challenge return", "on|off",
      "turn on or off challenging back whoever's challenge one has beaten"
    ) { session in
      var operation = SetChallengePreferences()
      switch session.optionalWord(0) {
      case "on": operation.issuesBack = true
      case "off": operation.issuesBack = false
      default: throw UsageError("`muster challenge return` takes on or off.")
      }
      try await session.show(operation)
    },
  ]

  private static let options: [Command.Option] = [
    .init("message", "TEXT", "The text that the friends read."),
    .init("expires-in", "SECONDS", "When it expires (default as the deployment has it)."),
  ]

  private static func challengeToAchieve(_ session: Session) async throws {
    let achievement = try session.word(0, "ACHIEVEMENT")
    let receivers = try session.arguments.words.dropFirst().map { try session.player($0) }
    let message = session.arguments["message"] ?? ""
    let lifetime = try session.lifetime()
    try await session.asPlayer { client in
      let issued = try await client.issueChallenge(
        toEarn: achievement, receivers: receivers, message: message,
        lifetime: lifetime.map { Duration.milliseconds($0) })
      // As when a score is challenged to.
      var reply = IssueScoreChallenge.Reply()
      reply.outcomes = issued.outcomes
      await session.show(reply, from: client)
      if let error = issued.error { throw error }
    }
  }

  private static func showPossible(_ session: Session) async throws {
    let achievement = try session.word(0, "ACHIEVEMENT")
    let named = try session.arguments.words.dropFirst().map { try session.player($0) }
    try await session.asPlayer { client in
      let found = try await client.challengeablePlayers(
        toEarn: achievement, among: named.isEmpty ? nil : named)
      var shown = ChallengeablePlayers()
      (shown.players, shown.refused) = (found.players, found.refused)
      await session.show(shown, from: client)
      if let error = found.error { throw error }
    }
  }

  private static func answer(_ session: Session, accept: Bool) async throws {
    let words = session.arguments.words
    let challenge: ChallengeID = try session.identifier(
      session.word(max(0, words.count - 1), "CHALLENGE"), "CHALLENGE")
    if words.count == 1 {
      var operation = AnswerAchievementChallenge()
      operation.challenge = challenge
      operation.accept = accept
      try await session.show(operation)
    } else if accept {
      var operation = AcceptChallenge()
      operation.board = words[0]
      operation.challenge = challenge
      try await session.show(operation)
    } else {
      var operation = DeclineChallenge()
      operation.board = words[0]
      operation.challenge = challenge
      try await session.show(operation)
    }
  }
}

extension Session {
  /// Returns the lifetime that `--expires-in` says, in milliseconds; nil without the
  /// option.
  fileprivate func lifetime() throws -> UInt64? {
    guard let text = arguments["expires-in"] else { return nil }
    let seconds: UInt32 = try integer(text, "--expires-in")
    guard seconds > 0 else { throw UsageError("--expires-in is at least 1.") }
    return UInt64(seconds) * 1000
  }
}
