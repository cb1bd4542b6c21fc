internal import MusterKit

extension GKLeaderboard {
  /// Submits one score to several boards in order, until one fails. It may complete any open
  /// challenge.
  ///
  /// - Parameters:
  ///   - score: the value.
  ///   - context: a number of the game's own, which is kept with the score.
  ///   - player: the local player; nobody submits another's score.
  ///   - leaderboardIDs: the boards' names.
  ///   - completionHandler: gets why a board has refused the score; nil where none has.
  public static func submitScore(
    _ score: Int, context: Int, player: GKPlayer, leaderboardIDs: [String],
    completionHandler: @escaping @MainActor ((any Error)?) -> Void
  ) {
    complete(completionHandler) { () async throws(GKError) in
      try await submit(Attempt(score, context, player), to: leaderboardIDs)
    }
  }

  public static func submitScore(
    _ score: Int, context: Int, player: GKPlayer, leaderboardIDs: [String]
  ) async throws {
    try await submit(Attempt(score, context, player), to: leaderboardIDs)
  }

  /// Submits a score to this board. An occurrence that is over takes none (`notOpen`).
  ///
  /// - Parameters:
  ///   - score: the value.
  ///   - context: a number of the game's own, which is kept with the score.
  ///   - player: the local player; nobody submits another's score.
  ///   - completionHandler: gets why the board has refused the score; nil where it has not.
  public func submitScore(
    _ score: Int, context: Int, player: GKPlayer,
    completionHandler: @escaping @MainActor ((any Error)?) -> Void
  ) {
    complete(completionHandler) { () async throws(GKError) in
      try await self.submit(Attempt(score, context, player))
    }
  }

  public func submitScore(_ score: Int, context: Int, player: GKPlayer) async throws {
    try await submit(Attempt(score, context, player))
  }

  private func submit(_ attempt: Attempt) async throws(GKError) {
    if let occurrence {
      let board = try await described(baseLeaderboardID, GameKit.signedInClient())
      guard board.current?.number == occurrence.number else {
        throw GKError(.notOpen, argument: "board", "The occurrence of the board is over.")
      }
    }
    try await Self.submit(attempt, to: [baseLeaderboardID])
  }

  private static func submit(_ attempt: Attempt, to boards: [String]) async throws(GKError) {
    let operations = boards.map { attempt.operation($0) }
    try await GameKit.signedInClient().submit(operations, of: [attempt.player])
  }

  private struct Attempt {
    var score: Int
    var context: Int
    var player: GKPlayer

    init(_ score: Int, _ context: Int, _ player: GKPlayer) {
      (self.score, self.context, self.player) = (score, context, player)
    }

    func operation(_ board: String) -> SubmitScore {
      var operation = SubmitScore()
      operation.board = board
      operation.value = Int64(score)
      operation.scoreTag = UInt64(truncatingIfNeeded: context)
      return operation
    }
  }
}

extension GameKitClient {
  /// Submits attempts in order, until one fails; none when one is wrong whatever the server knows.
  @MainActor
  func submit(_ operations: [SubmitScore], of players: [GKPlayer?]) async throws(GKError) {
    for operation in operations {
      if let fault = operation.fault { throw GKError(fault) }
    }
    guard players.allSatisfy({ $0 == GKLocalPlayer.local }) else {
      throw GKError(.notAllowed, argument: "player", "Players submit their own scores only.")
    }
    for operation in operations { _ = try await call(operation) }
  }
}
