import MusterKit

enum BoardCommands {
  static let all = [
    Command("board show", "BOARD", "how a leaderboard was declared") { session in
      var operation = DescribeLeaderboard()
      operation.board = try session.word(0, "BOARD")
      try await session.show(operation)
    },
    Command(
      "board submit", "BOARD VALUE", "submit a score",
      [.init("context", "NUMBER", "A number for the game, kept with the score."), .eligible]
    ) { session in
      var operation = SubmitScore()
      operation.board = try session.word(0, "BOARD")
      operation.value = try session.integer(session.word(1, "VALUE"), "VALUE")
      if let context = session.arguments["context"] {
        operation.context = try session.integer(context, "--context")
      }
      (operation.eligibility, operation.eligibleChallenges) = try session.eligibleChallenges()
      try await session.show(operation)
    },
    Command("board top", "BOARD", "the best scores", page) { session in
      var operation = TopScores()
      operation.board = try session.word(0, "BOARD")
      if let start = session.arguments["start"] {
        operation.start = try session.integer(start, "--start")
      }
      if let count = session.arguments["count"] {
        operation.count = try session.integer(count, "--count")
      }
      try await session.show(operation)
    },
    Command("board friends", "BOARD", "one's own and one's friends' scores", page) { session in
      var operation = FriendScores()
      operation.board = try session.word(0, "BOARD")
      if let start = session.arguments["start"] {
        operation.start = try session.integer(start, "--start")
      }
      if let count = session.arguments["count"] {
        operation.count = try session.integer(count, "--count")
      }
      try await session.show(operation)
    },
    Command("board around", "BOARD [PLAYER]", "the scores around a player's", [page[1]]) {
      session in
      var operation = ScoresAroundPlayer()
      operation.board = try session.word(0, "BOARD")
      operation.player = try session.optionalWord(1).map { try session.player($0) }
      if let count = session.arguments["count"] {
        operation.count = try session.integer(count, "--count")
      }
      try await session.show(operation)
    },
    Command("board rank", "BOARD [PLAYER]", "the rank of a player") { session in
      var operation = RankOfPlayer()
      operation.board = try session.word(0, "BOARD")
      operation.player = try session.optionalWord(1).map { try session.player($0) }
      try await session.show(operation)
    },
  ]

  private static let page: [Command.Option] = [
    .init("start", "RANK", "The first rank (default 1)."),
    .init("count", "NUMBER", "How many, at most 100."),
  ]
}
