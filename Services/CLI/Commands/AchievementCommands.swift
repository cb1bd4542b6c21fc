import MusterKit

enum AchievementCommands {
  static let all = [
    Command(
      "achievement show", "",
      "the game's achievements, hidden ones only after the player has reported them", [.cursor]
    ) { session in
      var operation = DescribeAchievements()
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
    Command("achievement list", "", "the player's progress, the last reported first", [.cursor]) {
      session in
      var operation = ListAchievements()
      operation.cursor = session.arguments["cursor"] ?? ""
      try await session.show(operation)
    },
    Command(
      "achievement report", "ACHIEVEMENT PERCENT [ACHIEVEMENT PERCENT]...",
      "report progress: all of it is taken, or nothing", [.eligible], run: report),
    Command("achievement reset", "", "take back all of the player's progress") { session in
      try await session.show(ResetAchievements())
    },
  ]

  private static func report(_ session: Session) async throws {
    let words = session.arguments.words
    guard words.count % 2 == 0 else { throw UsageError("PERCENT is missing.") }
    var operation = ReportAchievements()
    for place in stride(from: 0, to: max(words.count, 2), by: 2) {
      var report = AchievementReport()
      report.achievement = try session.word(place, "ACHIEVEMENT")
      let percent = try session.word(place + 1, "PERCENT")
      guard let number = Double(percent) else {
        throw UsageError("\(percent) is not a number; PERCENT is one from 0 to 100.")
      }
      report.percentComplete = number
      operation.reports.append(report)
    }
    (operation.eligibility, operation.eligibleChallenges) = try session.eligibleChallenges()
    try await session.show(operation)
  }
}

extension Command.Option {
  static let eligible = Self(
    "eligible", "CHALLENGES",
    "Only these challenges, with commas between them, may be completed; `none` completes none.")
}

extension Session {
  /// Returns the challenges that `--eligible` names; without the option, all are eligible.
  func eligibleChallenges() throws -> (ChallengeEligibility, [ChallengeID]) {
    guard let text = arguments["eligible"] else { return (.all, []) }
    if text == "none" { return (.listed, []) }
    return (
      .listed, try text.split(separator: ",").map { try identifier(String($0), "--eligible") }
    )
  }
}
