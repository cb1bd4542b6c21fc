import MusterKit

enum BoardCommands {
  static let all = [
    Command("board show", "BOARD", "how a leaderboard was declared") { session in
      var operation = DescribeLeaderboard()
      operation.board = try session.word(0, "BOARD")
      let description = operation
      let reply = try await session.asPlayerOrOperator { try await $0.call(description) }
      session.output.show(reply)
    },
    Command(
      "board submit", "BOARD VALUE", "submit a score",
      [
        .init("tag", "NUMBER", "A number of the game's own, which stays with the score."),
        .init("ticket", "TICKET", "The ticket from `muster board run`, if the board requires one."),
        .eligible,
      ]
    ) { session in
      var operation = SubmitScore()
      operation.board = try session.word(0, "BOARD")
      operation.value = try session.integer(session.word(1, "VALUE"), "VALUE")
      if let tag = session.arguments["tag"] {
        operation.scoreTag = try session.integer(tag, "--tag")
      }
      (operation.eligibility, operation.eligibleChallenges) = try session.eligibleChallenges()
      if let ticket = session.arguments["ticket"] {
        operation.ticket = try session.identifier(ticket, "--ticket")
      }
      try await session.show(operation)
    },
    Command("board top", "BOARD", "the best scores", page + period) { session in
      var operation = TopScores()
      operation.board = try session.word(0, "BOARD")
      operation.period = try scorePeriod(session)
      (operation.start, operation.count) = try scoreRange(session)
      try await session.show(operation)
    },
    Command("board friends", "BOARD", "the player's and the friends' scores", page + period) {
      session in
      var operation = FriendScores()
      operation.board = try session.word(0, "BOARD")
      operation.period = try scorePeriod(session)
      (operation.start, operation.count) = try scoreRange(session)
      try await session.show(operation)
    },
    Command(
      "board context", "BOARD CONTEXT", "the scores of the players in one of the player's contexts",
      page + period
    ) { session in
      var operation = TopScores()
      operation.board = try session.word(0, "BOARD")
      operation.scope = .context
      operation.context = try session.context(1)
      operation.period = try scorePeriod(session)
      (operation.start, operation.count) = try scoreRange(session)
      try await session.show(operation)
    },
    Command("board around", "BOARD [PLAYER]", "the scores around a player's", [page[1]] + period) {
      session in
      var operation = ScoresAroundPlayer()
      operation.board = try session.word(0, "BOARD")
      operation.period = try scorePeriod(session)
      operation.player = try session.optionalWord(1).map { try session.player($0) }
      if let count = session.arguments["count"] {
        operation.count = try session.integer(count, "--count")
      }
      try await session.show(operation)
    },
    Command(
      "board rank", "BOARD [PLAYER]", "the rank of a player",
      period + [
        .init(
          "at", "DATE",
          "What it was then, on a board with a history: 2026-11-20, 2026-11-20T18:30:00Z, or milliseconds since 1970."
        )
      ]
    ) { session in
      var operation = RankOfPlayer()
      operation.board = try session.word(0, "BOARD")
      operation.period = try scorePeriod(session)
      operation.player = try session.optionalWord(1).map { try session.player($0) }
      operation.date = try session.arguments["at"].map { try session.date($0, "--at") }
      try await session.show(operation)
    },
    Command("board value", "BOARD VALUE", "where a value would stand", period) { session in
      var operation = RankOfValue()
      operation.board = try session.word(0, "BOARD")
      operation.value = try session.integer(session.word(1, "VALUE"), "VALUE")
      operation.period = try scorePeriod(session)
      try await session.show(operation)
    },
    Command("board lesser", "BOARD", "friends with a worse score", page + period) { session in
      var operation = LesserScores()
      operation.board = try session.word(0, "BOARD")
      operation.period = try scorePeriod(session)
      (operation.start, operation.count) = try scoreRange(session)
      try await session.show(operation)
    },
    Command("board run", "BOARD", "begin a run on a board that requires tickets") { session in
      var operation = StartRun()
      operation.board = try session.word(0, "BOARD")
      try await session.show(operation)
    },
    Command("board sets", "", "the game's sets of boards") { session in
      try await session.show(ListLeaderboardSets())
    },
    Command("board set", "SET", "the boards of a set") { session in
      var operation = DescribeLeaderboardSet()
      operation.set = try session.word(0, "SET")
      try await session.show(operation)
    },
  ]

  private static let period: [Command.Option] = [
    .init(
      "time", "SCOPE", "Of when: today is the last 24 hours, week the last 7 days.",
      choices: ScoreTimeScope.names),
    .init("back", "NUMBER", "On a recurring board: how many occurrences back (default 0)."),
  ]

  private static func scorePeriod(_ session: Session) throws -> ScorePeriod {
    var period = ScorePeriod()
    if let scope: ScoreTimeScope = try session.named("time") { period.timeScope = scope }
    if let back = session.arguments["back"] {
      period.occurrencesBack = try session.integer(back, "--back")
    }
    return period
  }

  /// Returns the first rank to show and how many.
  private static func scoreRange(_ session: Session) throws -> (UInt32, UInt32) {
    (
      try session.arguments["start"].map { try session.integer($0, "--start") } ?? 1,
      try session.arguments["count"].map { try session.integer($0, "--count") } ?? 10
    )
  }

  private static let page: [Command.Option] = [
    .init("start", "RANK", "The first rank (default 1)."),
    .init("count", "NUMBER", "How many, at most 100 (default 10; around a player 11)."),
  ]
}
